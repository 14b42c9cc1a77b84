import { ChevronsUpDown, LogOut, UserRound } from "lucide-react";
import { Avatar } from "#components/ui/avatar.tsx";
import { Menu } from "#components/ui/menu.tsx";

export interface BusinessChoice {
  id: string;
  name: string;
  /** The reader's role in it, as a word. */
  role: string;
  href: string;
}

interface BusinessMenuProps {
  business: { id: string; name: string };
  businesses: readonly BusinessChoice[];
}

/** Names the business, and leads to the others of the reader. With one business there is nothing to choose, and no menu. */
export function BusinessMenu({ business, businesses }: BusinessMenuProps) {
  const name = <span className="min-w-0 grow truncate text-left font-semibold">{business.name}</span>;
  const look = "flex min-h-11 w-full min-w-0 items-center gap-2 rounded-control px-2 py-1 wide:min-h-9";
  if (businesses.length < 2) {
    return (
      <p className={look}>
        <Avatar name={business.name} />
        {name}
      </p>
    );
  }
  const items = businesses.map(({ id, name, role, href }) => ({
    key: id,
    href,
    current: id === business.id,
    icon: <Avatar name={name} />,
    label: (
      <>
        {name}
        <span className="block text-fact text-muted">{role}</span>
      </>
    ),
  }));
  return (
    <Menu
      trigger={
        <>
          <Avatar name={business.name} />
          {name}
          <span className="sr-only">, choose another business</span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        </>
      }
      triggerClass={`${look} hover:bg-hover data-popup-open:bg-hover`}
      groups={[items]}
    />
  );
}

interface AccountMenuProps {
  user: { name: string; email: string };
  accountHref: string;
  signOutAction: string;
}

/** The reader's own menu. Signing out is a POST, so that no link and no picture can do it. */
export function AccountMenu({ user, accountHref, signOutAction }: AccountMenuProps) {
  return (
    <Menu
      label={`Account of ${user.name}`}
      align="end"
      trigger={<Avatar name={user.name} />}
      triggerClass="grid size-11 place-items-center rounded-full hover:bg-hover data-popup-open:bg-hover wide:size-9"
      header={
        <>
          <p className="truncate font-medium">{user.name}</p>
          <p className="truncate text-fact text-muted">{user.email}</p>
        </>
      }
      groups={[
        [
          {
            key: "account",
            label: "Your security",
            href: accountHref,
            icon: <UserRound aria-hidden="true" className="size-4 text-muted" />,
          },
          { key: "sign-out", label: "Sign out", postTo: signOutAction, icon: <LogOut aria-hidden="true" className="size-4 text-muted" /> },
        ],
      ]}
    />
  );
}
