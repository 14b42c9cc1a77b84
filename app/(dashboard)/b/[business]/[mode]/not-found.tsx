import { Closed } from "#components/page/closed.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

/** Shown inside the dashboard's frame for a record that does not exist or that belongs to another business. */
export default function NotFound() {
  return (
    <Closed isPage title="There is nothing here" action={<ButtonLink href="/">Go to the start</ButtonLink>}>
      The address is wrong, or it belongs to another business or the other mode.
    </Closed>
  );
}
