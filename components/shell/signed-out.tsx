/** Covers a page whose session has ended. It disappears by itself once the reader is signed in again. */
export function SignedOut() {
  return (
    <div
      role="alert"
      className="fixed inset-x-4 bottom-20 z-30 mx-auto flex max-w-[36rem] flex-wrap items-center justify-between gap-3 rounded-control border border-warning/30 bg-warning-ground px-4 py-3 text-warning shadow-float wide:bottom-6"
    >
      <p className="min-w-0">
        <span className="font-semibold">You are signed out.</span> What you typed stays on this page.
      </p>
      <a
        href="/sign-in"
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-11 items-center font-medium underline underline-offset-3 sm:min-h-7"
      >
        Sign in in a new tab
      </a>
    </div>
  );
}
