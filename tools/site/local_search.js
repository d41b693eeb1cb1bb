// Lets the search work where the site is read from a disk: browsers start no worker and fetch no file there, but
// they run scripts. The index comes as a script, and the worker's script runs in a hidden frame.
if (location.protocol === "file:") {
  const index = document.currentScript.src.replace("local_search.js", "search/search_index.js");
  document.write(`<script src="${index}"><\/script>`);
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = new Promise((resolve) => {
        const script = this.inside.document.createElement("script");
        script.src = url;
        script.onload = resolve;
        this.inside.document.body.append(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
