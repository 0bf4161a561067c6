import { useNavigate } from "@tanstack/react-router";
import { wordsOf } from "../../../data/api.ts";
import { useCreateTool, useTemplates } from "../../../data/templates.ts";
import { Badge } from "../../../design/badge.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Failed, Loading } from "../../../design/page-states.tsx";
import { Words } from "../../../design/words.tsx";

/** Tools to begin with; one that is taken is there at once, and its page opens. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const { data: templates, error, isPending, refetch } = useTemplates();
  const create = useCreateTool();
  const navigate = useNavigate();
  const take = (template: string): void =>
    create.mutate(
      { template },
      { onSuccess: ({ id }) => void navigate({ to: "/tools/$toolId", params: { toolId: id } }) },
    );
  return (
    <Dialog title="Start from a template" place="side" onClose={onClose}>
      {create.error !== null && (
        <p role="alert" className="mb-3 rounded-md bg-bad-soft px-3 py-2 text-sm">
          <Words text={wordsOf(create.error)} />
        </p>
      )}
      {isPending && <Loading what="the templates" />}
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      <ul className="divide-y divide-line">
        {templates?.map(({ name, title, description, permissions, services }) => (
          <li key={name} className="flex items-start gap-4 py-3">
            <div className="min-w-0 flex-1">
              <h3 className="font-semibold">{title}</h3>
              <p className="mt-0.5 line-clamp-3 text-sm text-ink-2">{description}</p>
              <p className="mt-1.5 flex flex-wrap gap-1.5">
                {permissions.map((permission) => (
                  <Badge key={permission} tone="calm">
                    {permission}
                  </Badge>
                ))}
                {services.map((service) => (
                  <Badge key={service} tone="warn">
                    needs a key for {service}
                  </Badge>
                ))}
              </p>
            </div>
            <Button
              aria-label={`Use ${title}`}
              disabled={create.isPending}
              isBusy={
                create.isPending && "template" in create.variables && create.variables.template === name
              }
              onClick={() => take(name)}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
