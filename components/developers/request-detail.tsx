import { Detail, Section } from "#components/page/detail.tsx";
import { type Fact, Facts } from "#components/page/facts.tsx";
import { PageHead } from "#components/page/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Status } from "./requests-list.tsx";

interface RequestDetailProps {
  backHref: string;
  title: string;
  status: number;
  /** Why it failed. */
  failure: { code: string; help: string; docsHref: string; problems: readonly { param: string; message: string }[] } | undefined;
  /** The request as a command, without values. Absent for requests of people. */
  command: string | undefined;
  facts: readonly Fact[];
}

/** One API request: whether it failed and why, and how to send it again. */
export function RequestDetail({ backHref, title, status, failure, command, facts }: RequestDetailProps) {
  return (
    <>
      <PageHead
        back={{ href: backHref, label: "Requests" }}
        title={<span className="font-mono">{title}</span>}
        pill={<Status status={status} />}
      />
      <Detail facts={<Facts facts={facts} />}>
        {failure ? (
          <Section
            id="failure"
            title={<span className="font-mono">{failure.code}</span>}
            aside={<TextLink href={failure.docsHref}>About this error</TextLink>}
          >
            <p className="mb-3 max-w-[72ch]">{failure.help}</p>
            <Problems problems={failure.problems} />
          </Section>
        ) : (
          <Notice tone="success">The request succeeded.</Notice>
        )}
        {command && (
          <Section id="command" title="As a command">
            <p className="mb-3 max-w-[72ch] text-muted">
              Only the names of fields are kept, never their values. Put your values in place of the dots, and your keys into{" "}
              <code className="font-mono">OJA_KEY</code> and <code className="font-mono">OJA_SECRET</code>.
            </p>
            <CodeBlock text={command} what="the command" />
          </Section>
        )}
      </Detail>
    </>
  );
}

function Problems({ problems }: { problems: readonly { param: string; message: string }[] }) {
  if (problems.length === 0) return null;
  return (
    <dl className="flex flex-col gap-3 rounded-panel border border-line bg-surface p-4">
      {problems.map(({ param, message }) => (
        <div key={param}>
          <dt className="font-mono text-fact font-medium wrap-anywhere">{param}</dt>
          <dd className="min-w-0 wrap-anywhere">{message}</dd>
        </div>
      ))}
    </dl>
  );
}
