// Everything works without this file; it only makes a few things more comfortable.

/** Says in the closed audience picker whom the post is for. */
function nameAudience(picker) {
  const words = picker.querySelector(".sum-chosen .sum-words");
  const usual = words.textContent;
  const update = () => {
    const names = [...picker.querySelectorAll(".audience-lists input:checked")].map((input) =>
      input.parentElement.querySelector(".box-label").textContent.trim(),
    );
    words.textContent =
      names.length === 0
        ? usual
        : names.length > 3
          ? `${names.slice(0, 2).join(", ")} + ${names.length - 2}`
          : names.join(", ");
  };
  picker.addEventListener("change", update);
  update();
}

/** A field that shortens a long list of people. */
function addFilter(list) {
  const rows = [...list.querySelectorAll(".box")];
  if (rows.length < 8) return;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Filter";
  field.setAttribute("aria-label", "Filter people");
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of rows)
      row.hidden = !row.textContent.toLowerCase().includes(wanted) && !row.querySelector("input").checked;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  list.querySelector("legend").after(field);
}

for (const picker of document.querySelectorAll(".audience")) nameAudience(picker);
for (const list of document.querySelectorAll(".people-choice")) addFilter(list);

// A form that is on its way is not sent a second time; one that is answered with a file leaves the page as it is.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.dataset.answer === "file") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "1";
});
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && target.tagName === "TEXTAREA")
    target.form?.requestSubmit();
  if (event.key === "Escape") {
    const open = target.closest?.("details.menu[open], details.audience[open], details.more[open]");
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  }
});

// A menu closes when something else is pressed.
document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll("details.menu[open], details.more[open], details.audience[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});

/** Sends an upload with a bar that says how far it is; without this the browser sends it by itself. */
function watchUpload(form) {
  const bar = form.querySelector(".upload-progress");
  const words = form.querySelector(".upload-words");
  form.addEventListener("submit", (event) => {
    const fields = [...form.querySelectorAll("input[type=file]")];
    if (event.defaultPrevented || !fields.some((field) => field.files.length > 0)) return;
    event.preventDefault();
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      const share = total > 0 ? Math.floor((100 * loaded) / total) : 0;
      bar.value = share;
      words.textContent = share < 100 ? `${share} % sent` : "Almost done: the hub stores it.";
    });
    request.addEventListener("load", () => {
      if (request.status < 300 && request.responseURL !== form.action) return location.assign(request.responseURL);
      document.open();
      document.write(request.responseText);
      document.close();
    });
    request.addEventListener("error", () => {
      words.textContent = "The connection broke off. Nothing was stored; try again.";
      delete form.dataset.sent;
    });
    bar.hidden = words.hidden = false;
    request.send(new FormData(form));
  });
}

/** Files can be dropped on the field. */
function takeDrops(field) {
  const input = field.querySelector("input[type=file]");
  for (const name of ["dragenter", "dragover"])
    field.addEventListener(name, (event) => {
      event.preventDefault();
      field.classList.add("over");
    });
  for (const name of ["dragleave", "drop"]) field.addEventListener(name, () => field.classList.remove("over"));
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    input.files = event.dataTransfer.files;
  });
}

for (const form of document.querySelectorAll("form.upload")) watchUpload(form);
for (const field of document.querySelectorAll(".drop")) takeDrops(field);
