import { askPasskey } from "#app/_client/ask-passkey.ts";

/** The script of the sign-in page. The form works without it, and the other controls are not there. */
const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector) as T;

const isWaiting = (button: HTMLElement) => button.hasAttribute("aria-disabled");
const setWaiting = (button: HTMLElement, waits: boolean) =>
  waits ? button.setAttribute("aria-disabled", "true") : button.removeAttribute("aria-disabled");

function showPassword(): void {
  const password = find<HTMLInputElement>("#password");
  const button = find("#show-password");
  button.addEventListener("click", () => {
    const isShown = password.type === "text";
    password.type = isShown ? "password" : "text";
    button.setAttribute("aria-pressed", String(!isShown));
    button.textContent = isShown ? "Show" : "Hide";
  });
}

/** A second click on a form that is being sent sends nothing. */
function sendOnce(): void {
  const button = find("#send");
  find("form").addEventListener("submit", (event) => {
    if (isWaiting(button)) event.preventDefault();
    else setWaiting(button, true);
  });
  // The browser keeps a page that was left, and shows it again as it was.
  window.addEventListener("pageshow", () => setWaiting(button, false));
}

function signInWithPasskey(): void {
  const button = find("#passkey");
  const problem = find("#passkey-problem");
  button.addEventListener("click", async () => {
    if (isWaiting(button)) return;
    setWaiting(button, true);
    problem.hidden = true;
    const next = document.querySelector<HTMLInputElement>("input[name=next]")?.value;
    const outcome = await askPasskey({ next, isSecondStep: false });
    if ("to" in outcome) {
      location.assign(outcome.to);
      return;
    }
    setWaiting(button, false);
    find("#passkey-problem-text").textContent = outcome.problem;
    problem.hidden = outcome.problem === "";
  });
}

showPassword();
sendOnce();
signInWithPasskey();
