import { createECDH } from "node:crypto";
import fc from "fast-check";
import ece from "http_ece";
import { expect, test } from "vitest";
import { openDraft, openStandard } from "../../../test/support/push-receiver.ts";
import { longestMessage, seal, sealAsDraft } from "./encrypt.ts";

/** The bytes that the standard and its draft give as examples, and what their author's library makes of others. */

const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

function ecdh(privateKey: string) {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(bytes(privateKey));
  return pair;
}

test("RFC 8291, appendix A", () => {
  const receiver = {
    p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  };
  const { body, headers } = seal("When I grow up, I want to be a watermelon", receiver, {
    sender: ecdh("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  });
  expect(headers).toEqual({ "content-encoding": "aes128gcm" });
  expect(Buffer.from(body).toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("draft 4, section 5", () => {
  const receiver = {
    p256dh: bytes("BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU"),
    auth: bytes("R29vIGdvbyBnJyBqb29iIQ"),
  };
  const { body, headers } = sealAsDraft("I am the walrus", receiver, {
    sender: ecdh("nCScek-QpEjmOOlT-rQ38nZzvdPlqa00Zy0i6m2OJvY"),
    salt: bytes("lngarbyKfMoi9Z75xYXmkg"),
  });
  expect(headers).toEqual({
    "content-encoding": "aesgcm",
    encryption: "salt=lngarbyKfMoi9Z75xYXmkg",
    "crypto-key": "dh=BNoRDbb84JGm8g5Z5CFxurSqsXWJ11ItfXEWYVLE85Y7CYkDjXsIEc4aqxYaQ1G8BqkXCJ6DPpDrWtdWj_mugHU",
  });
  expect(Buffer.from(body).toString("base64url")).toBe("6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA");
});

test("each message has a key and a salt of its own, and its receiver alone reads it", () => {
  const own = createECDH("prime256v1");
  own.generateKeys();
  const auth = Buffer.alloc(16, 7);
  const receiver = { p256dh: own.getPublicKey(), auth };
  const [one, other] = [seal("Grüße 🫖", receiver), seal("Grüße 🫖", receiver)];
  expect(Buffer.from(one.body).equals(Buffer.from(other.body))).toBe(false);
  expect([one, other].map(({ body }) => openStandard({ own, auth }, body))).toEqual(["Grüße 🫖", "Grüße 🫖"]);
  const draft = sealAsDraft("Grüße 🫖", receiver);
  expect(openDraft({ own, auth }, draft.body, draft.headers)).toBe("Grüße 🫖");
  const stranger = createECDH("prime256v1");
  stranger.generateKeys();
  expect(() => openStandard({ own: stranger, auth }, one.body)).toThrow(/authenticate/);
});

test("http_ece reads whatever is sent, in both codings", () => {
  const own = createECDH("prime256v1");
  own.generateKeys();
  const auth = Buffer.alloc(16, 7);
  const receiver = { p256dh: own.getPublicKey(), auth };
  const keys = { privateKey: own, authSecret: auth };
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: longestMessage / 4 }), (text) => {
      const { body } = seal(text, receiver);
      expect(ece.decrypt(Buffer.from(body), { version: "aes128gcm", ...keys }).toString()).toBe(text);
      const draft = sealAsDraft(text, receiver);
      const [dh] = /(?<=dh=)[\w-]+/.exec(draft.headers["crypto-key"]!)!;
      const [salt] = /(?<=salt=)[\w-]+/.exec(draft.headers["encryption"]!)!;
      expect(ece.decrypt(Buffer.from(draft.body), { version: "aesgcm", dh, salt, ...keys }).toString()).toBe(text);
    }),
    { examples: [[""], ["x".repeat(longestMessage)]] },
  );
});
