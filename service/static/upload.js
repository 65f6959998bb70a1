// A file of this device goes into the field of its form, and the form is sent.

export function takeFiles(field) {
  const upload = document.getElementById("upload");
  upload.hidden = false;
  upload.querySelector("input").addEventListener("change", async (event) => {
    const form = document.getElementById("file-form");
    form.elements[field].value = await event.target.files[0].text();
    form.submit();
  });
}
