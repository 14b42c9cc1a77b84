"use client";

import { useRef, useState } from "react";
import { useCaller } from "#app/_client/provider.tsx";
import { sendFile } from "#app/_client/send-file.ts";
import { useRetryKey } from "#app/_client/use-retry-key.ts";
import { NotDone, useWork } from "#app/_client/use-work.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

type UploadBulkOrder = typeof import("#app/api/dashboard/bulk-orders/route.ts").POST;

const KB = 1024;
const UNKNOWN =
  "There was no answer, so we do not know whether the file arrived. Send it again: it is stored once, and nothing is bought yet.";

/** Also workbooks: the answer says how to save one as CSV. */
const ACCEPTED = ".csv,.xlsx,.xls,text/csv,text/plain";

/** Returns a text that differs for any two files: Windows-1252 maps each byte to its own character. A digest would need https. */
const textOfBytes = (bytes: ArrayBuffer): string => new TextDecoder("windows-1252").decode(bytes);

interface UploadProps {
  /** The page of the files. */
  path: string;
  maxBytes: number;
}

/** Takes a file of top-ups, has it checked, and opens its page. Nothing is bought before its rows are confirmed there. */
export function Upload({ path, maxBytes }: UploadProps) {
  const caller = useCaller();
  const once = useRetryKey();
  const { isWorking, problem, run } = useWork(UNKNOWN);
  const [file, setFile] = useState<File>();
  const input = useRef<HTMLInputElement>(null);
  const upload = () =>
    run(async () => {
      if (!file) {
        input.current?.focus();
        throw new NotDone("Choose a file first.");
      }
      if (file.size > maxBytes) throw new NotDone(`The file is larger than ${maxBytes / KB} KB. Split it into several files.`);
      const bytes = await file.arrayBuffer();
      const { data } = await once(textOfBytes(bytes), (idempotencyKey) =>
        sendFile<UploadBulkOrder>(caller, "/api/dashboard/bulk-orders", { type: "text/csv", content: new Blob([bytes]), idempotencyKey }),
      );
      location.assign(`${path}/${data.id}`);
    });
  return (
    <form
      aria-label="Upload a file"
      className="flex max-w-[45rem] flex-col gap-4 rounded-panel border border-line bg-surface p-4 sm:p-6"
      onSubmit={(event) => {
        event.preventDefault();
        void upload();
      }}
    >
      {problem && <ProblemNotice problem={problem} />}
      <Field label="CSV file" name="file" hint={`Up to 500 rows and ${maxBytes / KB} KB. You see every row before anything is bought.`}>
        {({ required: _, ...wiring }) => (
          <Input
            {...wiring}
            ref={input}
            type="file"
            accept={ACCEPTED}
            onChange={({ target }) => setFile(target.files?.[0])}
            className="file:mr-3 file:rounded-control file:border-0 file:bg-hover file:px-3 file:py-1 file:font-medium"
          />
        )}
      </Field>
      <div>
        <Button type="submit" variant="primary" pending={isWorking} pendingLabel="Checking…">
          Check the file
        </Button>
      </div>
    </form>
  );
}
