// What every page gets. Everything works without it; it only makes things more comfortable.
import "./acting.js";
import "./elements.js";
import "./forms.js";
import "./menus.js";
