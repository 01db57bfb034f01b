// The bots need version 4 of this package, which the registry lacks: it can be given contexts that it need not fetch, and tells
// activities from other objects.
const as2 = require("activitystrea.ms");
const models = require("activitystrea.ms/src/models");
const Loader = require("activitystrea.ms/src/contextloader");

const contexts = new Map();
const makeDocLoader = Loader.prototype.makeDocLoader;

Loader.prototype.makeDocLoader = function () {
  const load = makeDocLoader.call(this);
  return (url) =>
    contexts.has(url)
      ? Promise.resolve({ contextUrl: null, document: contexts.get(url), documentUrl: url })
      : load(url);
};
as2.registerContext = (url, context) => contexts.set(url, context);
models.Base.prototype.isActivity = function () {
  return "actor" in this;
};
