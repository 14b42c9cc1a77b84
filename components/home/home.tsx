import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

interface HomeProps {
  name: string;
  /** The hour of the day in Lagos. */
  hour: number;
  mode: "test" | "live";
  baseUrl: string;
}

/** The first page after signing in, of a business in which nothing has happened yet. */
export function Home({ name, hour, mode, baseUrl }: HomeProps) {
  return (
    <>
      <h1 className="wrap-anywhere">
        {greetingAt(hour)}, {firstNameOf(name)}
      </h1>
      <div className="mt-6">
        <EmptyState action={<ButtonLink href={`${baseUrl}/api/v1/openapi.json`}>Read the API reference</ButtonLink>}>
          {mode === "test"
            ? "This page does not list payments, cards and top-ups yet. Until it does, your server reads them through the API. Nothing in test mode is real."
            : "This page does not list payments, cards and top-ups yet. Until it does, your server reads them through the API."}
        </EmptyState>
      </div>
    </>
  );
}

function greetingAt(hour: number): string {
  if (hour < 12) return "Good morning";
  return hour < 17 ? "Good afternoon" : "Good evening";
}

const firstNameOf = (name: string): string => name.split(/\s+/)[0] ?? name;
