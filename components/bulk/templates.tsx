import { TextLink } from "#components/ui/text-link.tsx";

/** What a file of each kind looks like: its header, and a row. */
const TEMPLATES = [
  { kind: "Airtime", file: "airtime.csv", lines: ["phone,amount,network", "08031234567,200,mtn"] },
  { kind: "Data", file: "data.csv", lines: ["phone,plan id", "08031234567,1"] },
  { kind: "Cable TV", file: "cable-tv.csv", lines: ["smart card,plan id", "7012345678,1"] },
  { kind: "Light", file: "light.csv", lines: ["meter,disco,meter type,amount", "45012345678,1,Prepaid,2000"] },
] as const;

const hrefOf = (lines: readonly string[]) => `data:text/csv;charset=utf-8,${encodeURIComponent(`${lines.join("\r\n")}\r\n`)}`;

/** The columns of a file for each kind of top-up, each with a file to begin from. */
export function Templates({ idsHref }: { idsHref: string }) {
  return (
    <details className="text-fact">
      <summary className="inline-flex min-h-11 items-center font-medium text-brand sm:min-h-7">What the file looks like</summary>
      <div className="mt-2 flex flex-col gap-3">
        <p className="max-w-[60ch] text-muted">
          The first row names the columns. They say what is bought. The network may be left out: it is guessed from the number. Plans and
          electricity companies are named by <TextLink href={idsHref}>their ids</TextLink>.
        </p>
        <ul className="grid gap-3 sm:grid-cols-2">
          {TEMPLATES.map(({ kind, file, lines }) => (
            <li key={kind} className="min-w-0 rounded-control border border-line bg-surface p-3">
              <p className="flex items-baseline justify-between gap-3 font-medium">
                {kind}
                <a href={hrefOf(lines)} download={file} className="py-1 text-brand underline underline-offset-3">
                  Download {file}
                </a>
              </p>
              <pre className="mt-1 overflow-x-auto font-mono">{lines.join("\n")}</pre>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
