// Runs at the end of `npm ci`: loads the program once, so that the first start finds it compiled, and says what to do next.
const { spawnSync } = require("node:child_process");
const { join } = require("node:path");

const { status, stderr } = spawnSync(process.execPath, [join(__dirname, "hubbub.js"), "serve", "--help"], {
  encoding: "utf8",
});
if (status === 0) process.stdout.write("Hubbub is installed. Start it with: npm start\n");
else process.stderr.write(stderr);
process.exitCode = status ?? 1;
