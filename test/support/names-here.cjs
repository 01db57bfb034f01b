// Names that end in `.test` lead to this machine, for everything in this process.
const dns = require("node:dns");

const { lookup } = dns;
const here = { address: "127.0.0.1", family: 4 };

dns.lookup = (name, options, callback = options) => {
  if (!name.endsWith(".test")) lookup(name, options, callback);
  else if (options.all) process.nextTick(callback, null, [here]);
  else process.nextTick(callback, null, here.address, here.family);
};
