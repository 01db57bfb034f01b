// Loaded into the processes of the hub by the drill alone: what they take for the time and for the addresses of names follows a file.
const dns = require("node:dns");
const { readFileSync } = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const file = process.env.HUBBUB_DRILL_CONDITIONS;
let conditions = { seconds: 0, names: true };

function look() {
  try {
    conditions = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // It is being written.
  }
}
look();
setInterval(look, 100).unref();

const { now } = Date;
const moved = () => now() + conditions.seconds * 1000;
globalThis.Date = new Proxy(Date, {
  construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [moved()] : args, target),
  get: (date, name) => (name === "now" ? moved : Reflect.get(date, name)),
});

const { lookup } = dns.promises;
dns.promises.lookup = (name, options) => {
  if (conditions.names) return lookup(name, options);
  const error = new Error(`getaddrinfo EAI_AGAIN ${name}`);
  return Promise.reject(Object.assign(error, { code: "EAI_AGAIN", syscall: "getaddrinfo" }));
};
syncBuiltinESMExports();
