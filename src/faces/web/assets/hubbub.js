// What every page gets. Everything works without it; it only makes things more comfortable.
import "./acting.js";
import "./elements.js";
import "./forms.js";
import "./menus.js";

// Members may have the hub as an app, which says something also without a network.
if (document.body.classList.contains("member"))
  addEventListener("load", () => void navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));
