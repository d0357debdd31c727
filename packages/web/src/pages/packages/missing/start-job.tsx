import { Button, Stack } from '@mantine/core'
import { invalidate, useChange } from '../../../api/use-operation.ts'
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
  const { show } = useShownJob()
  const start = useChange(operation, {
    onSuccess({ jobId }) {
      void invalidate('listJobs')
      show(jobId)
    },
  })
  function begin(): void {
    const { units, people, tags } = names
    const options = optionsOf(choices, { units: plainNames(units), people: plainNames(people), tags: plainNames(tags) })
    start.mutate({ body: { filename: file, ...(options && { options }) } })
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button onClick={begin} loading={start.isPending} size="md" variant={isSecondary ? 'default' : 'filled'}>
        {label}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
    </Stack>
  )
}
