// Runs at the end of `npm ci` and `npm install`: loads the program once, so that the first start finds it compiled, and says what to do next.
const { spawnSync } = require("node:child_process");
const { join, sep } = require("node:path");

const { status, stderr } = spawnSync(process.execPath, [join(__dirname, "hubbub.js"), "serve", "--help"], {
  encoding: "utf8",
});
const start = __dirname.split(sep).includes("node_modules") ? "hubbub serve" : "npm start";
if (status === 0) process.stdout.write(`Hubbub is installed. Start it with: ${start}\n`);
else process.stderr.write(stderr);
process.exitCode = status ?? 1;
