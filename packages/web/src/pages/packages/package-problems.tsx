import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { QueryView } from '../../parts/notices.tsx'
import { NameSelect, named } from '../../parts/selects.tsx'
import { common } from '../../texts/common.ts'
import { packageProblems as texts } from '../../texts/convert.ts'
import { format, formatNumber } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import classes from './packages.module.css'
import { filterProblems, occurring, type PackageProblem, type ProblemFilter, shownProblems } from './problem-filter.ts'

/** The most problems that a report has and that one JSON reply contains. */
export const MAX_PROBLEMS = 10_000
const PAGE = 50

/** All mistakes in a package, with filters. */
export function PackageProblems({ jobId }: { jobId: string }) {
  const query = useOperation('listJobProblems', { jobId, query: { limit: MAX_PROBLEMS } })
  return (
    <QueryView query={query}>{({ problems }) => problems.length > 0 && <ProblemTable problems={problems} />}</QueryView>
  )
}

function ProblemTable({ problems }: { problems: readonly PackageProblem[] }) {
  const [filter, setFilter] = useState<ProblemFilter>({ search: '', kind: null, rule: null })
  const [shown, setShown] = useState(PAGE)
  const all = useMemo(() => shownProblems(problems), [problems])
  const kinds = useMemo(() => occurring(all.map(({ kind }) => kind)).map(named), [all])
  const rules = useMemo(() => occurring(all.map(({ rule }) => rule)).map(named), [all])
  const found = filterProblems(all, filter)
  function change(part: Partial<ProblemFilter>): void {
    setFilter({ ...filter, ...part })
    setShown(PAGE)
  }
  const title = problems.length < MAX_PROBLEMS ? texts.title : texts.many
  return (
    <Stack component="section">
      <Text fw={600} component="h3" m={0}>
        {format(title, { count: problems.length })}
      </Text>
      <Group align="flex-end" grow preventGrowOverflow={false} wrap="wrap">
        <TextInput
          label={texts.search}
          placeholder={texts.searchHint}
          value={filter.search}
          onChange={({ currentTarget }) => change({ search: currentTarget.value })}
          miw={220}
        />
        <NameSelect
          label={texts.field}
          placeholder={texts.anyField}
          choices={kinds}
          value={filter.kind}
          onChange={(kind) => change({ kind })}
        />
        <NameSelect
          label={texts.rule}
          placeholder={texts.anyRule}
          choices={rules}
          value={filter.rule}
          onChange={(rule) => change({ rule })}
        />
      </Group>
      <Text size="sm" role="status">
        {found.length === 0
          ? texts.none
          : format(texts.shown, { count: found.length, total: formatNumber(problems.length) })}
      </Text>
      {found.length > 0 && (
        <CardTable
          label={texts.label}
          rows={found.slice(0, shown)}
          keyOf={({ key }) => key}
          columns={[
            { head: texts.row, cell: ({ row }) => (row === null ? texts.manifest : formatNumber(row)) },
            { head: requestFields.externalId, cell: ({ externalId }) => externalId && <Long text={externalId} /> },
            { head: texts.field, name: true, cell: ({ field }) => field && <Long text={field} /> },
            { head: texts.value, cell: ({ value }) => value !== null && <Long text={value} /> },
            { head: texts.rule, cell: ({ rule }) => <Long text={rule} /> },
          ]}
        />
      )}
      {found.length > shown && (
        <Button variant="default" mx="auto" onClick={() => setShown(shown + PAGE)}>
          {common.more}
        </Button>
      )}
    </Stack>
  )
}

const Long = ({ text }: { text: string }) => <span className={classes.long}>{text}</span>
