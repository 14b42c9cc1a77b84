"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";

export interface ToastMessage {
  /** What happened: "Link deactivated". */
  title: string;
  description?: string | undefined;
  /** Undoes the action. A toast with this button stays longer. */
  undo?: (() => void) | undefined;
}

const STAYS_MS = 5_000;
const WITH_UNDO_STAYS_MS = 10_000;

/** Shows messages as toasts, each once. They stay while the pointer or the focus is on them; F6 moves the focus there. */
export function ToastList({ messages }: { messages: readonly ToastMessage[] }) {
  return (
    <Base.Provider timeout={STAYS_MS} limit={3}>
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-[calc(8rem+env(safe-area-inset-bottom))] z-35 flex w-[min(22.5rem,calc(100vw-2rem))] flex-col gap-2 outline-none wide:bottom-4">
          <Toasts messages={messages} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts({ messages }: { messages: readonly ToastMessage[] }) {
  const { toasts, add, close } = Base.useToastManager();
  const shown = useRef(0);
  useEffect(() => {
    for (const { title, description, undo } of messages.slice(shown.current)) {
      const id = add({
        title,
        description,
        timeout: undo ? WITH_UNDO_STAYS_MS : STAYS_MS,
        ...(undo && {
          actionProps: {
            children: "Undo",
            onClick: () => {
              close(id);
              undo();
            },
          },
        }),
      });
    }
    shown.current = messages.length;
  }, [messages, add, close]);
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      className="rounded-panel border border-line bg-surface text-body text-ink shadow-float transition-[opacity,translate] duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-1 data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-center gap-2 py-1.5 pr-1.5 pl-4">
        <div className="min-w-0 grow py-1.5 wrap-anywhere">
          <Base.Title className="font-medium" />
          <Base.Description className="text-muted" />
        </div>
        <Base.Action className="min-h-11 shrink-0 rounded-control px-3 font-medium text-brand hover:bg-hover sm:min-h-9" />
        <Base.Close
          aria-label="Put away"
          className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink sm:size-9"
        >
          <X aria-hidden="true" className="size-4" />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}
