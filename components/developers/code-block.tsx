import { Summary } from "#components/page/summary.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** A text with more lines is folded. */
const MAX_LINES = 30;
/** The lines of a folded text that show. */
const FIRST_LINES = 20;

interface CodeBlockProps {
  /** The text that the button copies. */
  text: string;
  /** The same text, formatted for reading. Absent: `text` is shown as it is. */
  shown?: string;
  what: string;
}

/** Text for programs, with a button that copies it. The end of a long one is behind a fold. */
export function CodeBlock({ text, shown = text, what }: CodeBlockProps) {
  const lines = shown.split("\n");
  const isLong = lines.length > MAX_LINES;
  return (
    <div className="relative min-w-0 rounded-control border border-line bg-ground">
      <div className="p-3 pr-12">
        <Code text={isLong ? lines.slice(0, FIRST_LINES).join("\n") : shown} />
      </div>
      {isLong && (
        <details className="px-3 pb-1 text-fact">
          <Summary>The other {lines.length - FIRST_LINES} lines</Summary>
          <Code text={lines.slice(FIRST_LINES).join("\n")} />
        </details>
      )}
      <span className="absolute top-2 right-2">
        <CopyButton text={text} label={`Copy ${what}`} />
      </span>
    </div>
  );
}

const Code = ({ text }: { text: string }) => <pre className="font-mono text-fact wrap-anywhere whitespace-pre-wrap">{text}</pre>;
