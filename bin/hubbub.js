#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: an old one hands over to the Node that npm installed, and a new one need not
// load its TypeScript reader (18 MB) for this file, since all others come out of the compile cache.
{
  const { join, sep } = require("node:path");
  const wanted = 24;
  // By itself V8 lets the space for short-lived objects grow with the memory of the machine, here to 130 MB; with this
  // much a hub under load is as fast and 100 MB lighter. Having it from the start, V8 collects less often. The collector is
  // for src/cli/free-memory.ts, which gives back what loading and busy times leave behind.
  const flags = ["--max-semi-space-size=16", "--min-semi-space-size=16", "--expose-gc"];
  // The library for memory on Linux keeps what was freed between pieces that are in use, in a place for each of many threads.
  // With two places, and larger pieces by themselves, a busy time leaves 45 MB less behind. Whoever sets these decides.
  const memory = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };
  const env = { ...memory, ...process.env };

  const isInstalled = __dirname.split(sep).includes("node_modules");

  const start = () => {
    const { channel, execArgv, execPath, execve, argv } = process;
    if (execve && !channel && !flags.every((flag) => execArgv.includes(flag)))
      execve(execPath, [execPath, ...execArgv, ...flags, ...argv.slice(1)], env);
    const root = join(__dirname, "..");
    require("node:module").enableCompileCache?.(join(root, "node_modules", ".cache", "hubbub"));
    require("./resolving.js").resolveByName();
    if (process.channel) {
      // Started by the lines below: when that process is gone, whatever killed it, this one stops as when it is told to.
      process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
      process.channel.unref();
    }
    // Node reads no TypeScript below node_modules; packages have the program without its types (packaging/dist.ts).
    const main = isInstalled ? "../dist/cli/main.js" : "../src/cli/main.ts";
    void import(main).then((cli) => cli.main(process.argv.slice(2)));
  };

  const findNode = () => {
    const { existsSync } = require("node:fs");
    const { dirname } = require("node:path");
    const system = process.platform === "win32" ? "win" : process.platform;
    try {
      const manifest = require.resolve(`node-${system}-${process.arch}/package.json`);
      const binary = join(dirname(manifest), require(manifest).bin.node);
      return existsSync(binary) ? binary : undefined;
    } catch {
      return undefined;
    }
  };

  const startWith = (binary) => {
    const { spawn } = require("node:child_process");
    const child = spawn(binary, [...flags, __filename, ...process.argv.slice(2)], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env,
    });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("error", (error) => {
      process.stderr.write(`Node ${wanted} could not be started: ${error.message}\n`);
      process.exitCode = 1;
    });
    child.on("exit", (code, signal) => {
      if (!signal) process.exit(code);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  };

  const binary = Number(process.versions.node.split(".")[0]) >= wanted ? "" : findNode();
  if (binary === "") start();
  else if (binary) startWith(binary);
  else {
    process.stderr.write(
      `Hubbub needs Node ${wanted}, this is ${process.version}. Run \`npm ci\`, which brings a copy where there is one for this system, or install it.\n`,
    );
    process.exitCode = 1;
  }
}
