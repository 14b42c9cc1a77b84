import type { RoleName } from "#components/team/role-words.ts";

export interface MemberToChange {
  id: string;
  name: string;
  /** As the page shows it. */
  role: RoleName;
}

/** A dialog that a menu opens. */
export interface Opened {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
