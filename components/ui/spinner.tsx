/** A rotating ring beside a word that names the work in progress. With reduced motion the ring does not rotate. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-3.5 shrink-0 rounded-full border-2 border-current/30 border-t-current motion-safe:animate-spin"
    />
  );
}
