import { Amount } from "#components/ui/amount.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

export const metadata = { title: "Home" };

export default function HomeExample() {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1>Good evening, Ada</h1>
        <ButtonLink href="/ui" variant="primary">
          Create link
        </ButtonLink>
      </div>
      <p className="mt-4 text-figure font-semibold">
        <Amount minor="41290000" currency="NGN" /> <span className="text-body font-normal text-muted">available</span>
      </p>
    </>
  );
}
