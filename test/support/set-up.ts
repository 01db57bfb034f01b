/** What each file of tests needs; modules are loaded once for all files of a process. */
import "./loading.ts";
import "./seed.ts";
