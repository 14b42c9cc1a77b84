import { Closed } from "#components/page/closed.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

/** What the dashboard shows in its frame for a thing that does not exist, or that belongs to another business. */
export default function NotFound() {
  return (
    <>
      <h1 className="mb-6">There is nothing here</h1>
      <Closed title="This was not found." action={<ButtonLink href="/">Go to the start</ButtonLink>}>
        The address is wrong, or it belongs to another business or the other mode.
      </Closed>
    </>
  );
}
