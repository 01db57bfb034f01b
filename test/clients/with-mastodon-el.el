;;; What a person does with mastodon.el; prints one JSON object for test/clients/mastodon.test.ts.  -*- lexical-binding: t -*-

(require 'json)
(require 'mastodon)
(require 'mastodon-auth)
(require 'mastodon-http)
(require 'mastodon-notifications)
(require 'mastodon-search)
(require 'mastodon-tl)
(require 'mastodon-toot)

(defvar seat (json-parse-string (getenv "HUBBUB_CLIENT") :object-type 'alist))
(setq mastodon-instance-url (alist-get 'url seat)
      mastodon-active-user (alist-get 'nick seat)
      mastodon-client--token-file (expand-file-name "mastodon.plstore" (getenv "XDG_CONFIG_HOME"))
      mastodon-tl--show-avatars nil
      mastodon-tl--enable-proportional-fonts nil
      mastodon-tl--display-media-p nil)
(make-directory (getenv "XDG_CONFIG_HOME") t)

;; An Emacs for terminals draws nothing.
(unless (fboundp 'image-transforms-p) (defalias 'image-transforms-p #'ignore))

;; The address goes out, the code comes in: there is no window to show a notice in.
(advice-add 'mastodon-auth--show-notice :override
            (lambda (_notice _buffer &optional ask)
              (when ask
                (princ (concat (car kill-ring) "\n"))
                (read-string ""))))

(defun asked (endpoint) (mastodon-http--get-json (mastodon-http--api endpoint)))

(defun shown (render json)
  "What RENDER writes of JSON."
  (with-temp-buffer
    (funcall render json)
    (buffer-substring-no-properties (point-min) (point-max))))

(defun posted (text)
  "Write TEXT into the window for new toots and send it."
  (mastodon-toot--compose-buffer nil nil)
  (goto-char (point-max))
  (insert text)
  (mastodon-toot--send)
  (alist-get 'content (aref (asked "timelines/home") 0)))

(mastodon-auth--access-token)
(let ((said `((login . ,(mastodon-auth--user-acct))
              (home . ,(shown #'mastodon-tl--timeline (asked "timelines/home")))
              (posted . ,(posted "From Emacs é 😀"))
              (notified . ,(shown #'mastodon-notifications--timeline (asked "notifications")))
              (found . ,(mapcar #'car (mastodon-search--search-accounts-query (alist-get 'friend seat)))))))
  (princ (concat "\n" (json-encode said) "\n")))
