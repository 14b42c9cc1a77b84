import { CopyButton } from "#components/ui/copy-button.tsx";

/** Text for programs, as it is, with a button that copies it. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className="relative min-w-0 rounded-control border border-line bg-ground">
      <pre className="p-3 pr-12 font-mono text-fact wrap-anywhere whitespace-pre-wrap">{text}</pre>
      <span className="absolute top-2 right-2">
        <CopyButton text={text} label={`Copy ${what}`} />
      </span>
    </div>
  );
}
