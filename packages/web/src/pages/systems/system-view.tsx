import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { useMutation } from '@tanstack/react-query'
import { administration } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { systems } from '../../texts/systems.ts'
import { saveAs } from './save-as.ts'
import { controlWords, fileNameOf } from './system-words.ts'

/** One technical system: what it reads and writes, and what drives it. */
export function SystemView({ deviceId, system }: { deviceId: string; system: TechnicalSystem }) {
  const { orgId, may } = useSite()
  const download = useMutation({
    mutationFn: () => administration.commissioningFile(orgId, deviceId, system.id),
    onSuccess: (file) => saveAs(fileNameOf(system.name), `${JSON.stringify(file, null, 2)}\n`),
  })
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h4">
          {system.name}
        </Title>
        {may('admin') && (
          <Button
            size="xs"
            variant="default"
            aria-label={systems.downloadLabel(system.name)}
            onClick={() => download.mutate()}
            loading={download.isPending}
          >
            {systems.download}
          </Button>
        )}
      </Group>
      {download.error && <ErrorNotice error={download.error} />}
      <CardTable
        label={systems.connectionsLabel(system.name)}
        rows={system.connections}
        keyOf={({ id }) => id}
        framed={false}
        columns={[
          { head: systems.connection, cell: ({ name }) => name },
          { head: systems.protocol, cell: ({ protocol }) => systems.protocols[protocol] },
          {
            head: systems.datapoints,
            cell: ({ datapoints }) =>
              systems.points(datapoints.length, datapoints.filter(({ accessType }) => accessType !== 'READ').length),
          },
        ]}
      />
      {controlWords(system).map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Stack>
  )
}
