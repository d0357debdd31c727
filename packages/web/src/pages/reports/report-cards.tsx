import { Card, Group, Stack, Text } from '@mantine/core'
import type { ReportEntry } from '@plantroom/contract/reports'
import { useSite } from '../../api/use-site.ts'
import { exactTime } from '../../parts/time.ts'
import { reports } from '../../texts/reports.ts'
import { Change, DatapointName, DeviceName, Ids, Phase, SystemName } from './report-parts.tsx'
import classes from './reports.module.css'
import type { LoadedNames } from './use-reports.ts'

/** The list on a phone. */
export function ReportCards({ entries, loaded }: { entries: readonly ReportEntry[]; loaded: LoadedNames }) {
  const { site } = useSite()
  return (
    <Stack component="ul" gap="sm" className={classes.list} aria-label={reports.listLabel}>
      {entries.map((entry) => (
        <li key={`${entry.deviceId} ${entry.id}`}>
          <Card withBorder padding="sm">
            <Stack gap={6}>
              <Group gap="xs" justify="space-between">
                <Text fw={600} size="sm">
                  {entry.title}
                </Text>
                <Text size="sm" className="figures">
                  {exactTime(entry.at, site.timeZone)}
                </Text>
              </Group>
              <Phase entry={entry} />
              <Change entry={entry} />
              <DatapointName entry={entry} loaded={loaded} />
              <Text size="sm" component="div">
                <SystemName entry={entry} loaded={loaded} /> · <DeviceName entry={entry} loaded={loaded} />
              </Text>
              <Ids entry={entry} />
            </Stack>
          </Card>
        </li>
      ))}
    </Stack>
  )
}
