import { Button, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { packagesOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { useShownJob } from './use-shown-job.ts'

/** Starts the import of a package that was uploaded, and goes on to follow it. */
export function ImportButton({ file, label }: { file: string; label: string }) {
  const { orgId, siteId } = useSite()
  const { show } = useShownJob()
  const client = useQueryClient()
  const start = useMutation({
    mutationFn: () => packagesOf(orgId, siteId).import(file),
    onSuccess(jobId) {
      void client.invalidateQueries({ queryKey: ['jobs', orgId, siteId, 'list'] })
      show(jobId)
    },
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Button onClick={() => start.mutate()} loading={start.isPending} size="md">
        {label}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
    </Stack>
  )
}
