// Where each worker thread of src/threads.ts begins. Plain JavaScript, as hubbub.js, so that a thread takes its TypeScript
// out of the compile cache: reading it anew would double the memory of each one.
{
  const { readlinkSync } = require("node:fs");
  const { enableCompileCache, flushCompileCache } = require("node:module");
  const { setPriority } = require("node:os");
  const { basename, join } = require("node:path");
  const { parentPort, workerData } = require("node:worker_threads");

  // The thread that answers requests comes first. Linux has a priority for each thread, under the thread's own number.
  try {
    if (process.platform === "linux") setPriority(Number(basename(readlinkSync("/proc/thread-self"))), 10);
  } catch {
    // Where that is forbidden, as by a filter of system calls, the thread works all the same.
  }

  // Errors of the domain lose their fields on the way between threads.
  const failure = (error) => ({ error, fields: error?.name === "HubError" ? { ...error } : undefined });

  const say = (answer) => parentPort.postMessage(answer, []);

  const answer = (module, [name, args]) =>
    Promise.try(module[name], ...args)
      .then((value) => say({ value }))
      .catch((error) => say(failure(error)));

  enableCompileCache(join(__dirname, "..", "node_modules", ".cache", "hubbub"));
  require("./resolving.js").resolveByName();
  void import(workerData).then((module) => {
    flushCompileCache();
    parentPort.on("message", (call) => void answer(module, call));
    say("ready");
  });
}
