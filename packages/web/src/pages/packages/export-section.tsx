import { Button, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { packagesOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { packages } from '../../texts/packages.ts'

const texts = packages.exporting

/** One button: all requests of the site in a package. */
export function ExportSection({ onStarted }: { onStarted: (jobId: string) => void }) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const start = useMutation({
    mutationFn: () => packagesOf(orgId, siteId).export(),
    onSuccess(jobId) {
      void client.invalidateQueries({ queryKey: ['jobs', orgId, siteId, 'list'] })
      onStarted(jobId)
    },
  })
  return (
    <Stack component="section" align="flex-start">
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <Text maw={640}>{texts.hint}</Text>
      <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
        {texts.start}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
    </Stack>
  )
}
