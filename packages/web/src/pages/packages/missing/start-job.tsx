import { Button, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { useShownJob } from '../use-shown-job.ts'
import { type MissingChoices, optionsOf } from './choices.ts'
import { type NamesByKind, plainNames } from './use-missing-names.ts'

type Operation = 'startImport' | 'startFillPreview' | 'startFill'

/** Starts a job for an uploaded package, with the choices for names that the site lacks, and follows it. */
export function StartJob({
  operation,
  file,
  label,
  choices,
  names,
  isSecondary = false,
}: {
  operation: Operation
  file: string
  label: string
  choices: MissingChoices
  names: NamesByKind
  isSecondary?: boolean
}) {
  const { orgId, siteId } = useSite()
  const { show } = useShownJob()
  const client = useQueryClient()
  const start = useMutation({
    mutationFn() {
      const { units, people, tags } = names
      const options = optionsOf(choices, {
        units: plainNames(units),
        people: plainNames(people),
        tags: plainNames(tags),
      })
      return api[operation]({ orgId, propertyId: siteId, body: { filename: file, ...(options && { options }) } })
    },
    onSuccess({ jobId }) {
      void client.invalidateQueries({ queryKey: ['jobs', orgId, siteId, 'list'] })
      show(jobId)
    },
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        onClick={() => start.mutate()}
        loading={start.isPending}
        size="md"
        variant={isSecondary ? 'default' : 'filled'}
      >
        {label}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
    </Stack>
  )
}
