/** The initials of a person or a business. A name stands beside it, so screen readers skip it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-grid size-7 shrink-0 place-items-center rounded-full bg-selected text-[0.6875rem] font-semibold text-ink select-none"
    >
      {initialsOf(name)}
    </span>
  );
}

/** Returns the first letters of the first and the last word, as a reader sees them: an accent is part of its letter. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const first = (word = "") => [...new Intl.Segmenter("en").segment(word)][0]?.segment ?? "";
  return ends.map(first).join("").toUpperCase();
}
