import { Button, Collapse, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { REPORT_CODES, type ReportCode } from '@plantroom/contract/reports'
import { useSite } from '../../api/use-site.ts'
import { isEmptyRange, isFiltered } from '../../parts/address-filters.ts'
import { NameSelect } from '../../parts/selects.tsx'
import { TimeInput } from '../../parts/time-input.tsx'
import { format } from '../../texts/format.ts'
import { codes, reports } from '../../texts/reports.ts'
import type { ReportPageFilters } from './report-filters.ts'
import { choicesOf, type ReportNames } from './report-names.ts'

const CODES = Object.keys(REPORT_CODES).map((code) => ({ value: code, label: codes[Number(code) as ReportCode] }))

/** The filters of the audit log. On a phone they are collapsed unless one is set. */
export function ReportFilterBar({
  filters,
  names,
  onChange,
  isWide,
}: {
  filters: ReportPageFilters
  names: ReportNames
  onChange: (choice: Partial<ReportPageFilters>) => void
  isWide: boolean
}) {
  const { site } = useSite()
  const choices = choicesOf(names, filters)
  const [opened, { toggle }] = useDisclosure(isFiltered(filters))
  return (
    <Stack gap="xs" mb="md" align="stretch">
      {!isWide && (
        <Button variant="default" onClick={toggle} aria-expanded={opened}>
          {reports.filtersLabel}
        </Button>
      )}
      <Collapse expanded={isWide || opened}>
        <Fieldset variant="unstyled" m={0} p={0} aria-label={reports.filtersLabel}>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" verticalSpacing="xs">
            <NameSelect
              label={reports.device}
              placeholder={reports.anyDevice}
              choices={choices.devices}
              value={filters.deviceId ?? null}
              onChange={(deviceId) => onChange({ deviceId: deviceId ?? undefined })}
            />
            <NameSelect
              label={reports.system}
              placeholder={reports.anySystem}
              choices={choices.systems}
              value={filters.technicalSystemId ?? null}
              onChange={(systemId) => onChange({ technicalSystemId: systemId ?? undefined })}
            />
            <NameSelect
              label={reports.datapoint}
              placeholder={reports.anyDatapoint}
              choices={choices.datapoints}
              value={filters.datapointId ?? null}
              onChange={(datapointId) => onChange({ datapointId: datapointId ?? undefined })}
            />
            <NameSelect
              label={reports.code}
              placeholder={reports.anyCode}
              choices={CODES}
              value={filters.code === undefined ? null : String(filters.code)}
              onChange={(code) => onChange({ code: code === null ? undefined : (Number(code) as ReportCode) })}
            />
            <TimeInput
              label={reports.from}
              value={filters.from}
              onChange={(from) => onChange({ from })}
              timeZone={site.timeZone}
              error={isEmptyRange(filters) && reports.emptyRange}
            />
            <TimeInput
              label={reports.to}
              value={filters.to}
              onChange={(to) => onChange({ to })}
              timeZone={site.timeZone}
            />
          </SimpleGrid>
          <Text size="sm" mt="xs">
            {format(reports.zone, { zone: site.timeZone })}
          </Text>
        </Fieldset>
      </Collapse>
    </Stack>
  )
}
