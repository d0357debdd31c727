import { Alert, Anchor, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import { pathOf } from '@plantroom/client/client'
import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import type { JobError } from '@plantroom/contract/jobs'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { QueryView } from '../../../parts/notices.tsx'
import { common } from '../../../texts/common.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import classes from '../packages.module.css'
import { describePlace } from './describe-account.ts'

const texts = convert.problems

/** The most problems that a job keeps. */
const MAX_PROBLEMS = 10_000
const PAGE = 50
/** From this number on, a search helps. */
const MANY_PROBLEMS = 10

/** A job that failed, with what to do next and all problems of its export. */
export function Failed({ job, children }: { job: ConversionJob; children?: ReactNode }) {
  const { orgId, siteId } = useSite()
  const params = { orgId, propertyId: siteId, jobId: job.id }
  const query = useOperation('listConversionProblems', { ...params, query: { limit: MAX_PROBLEMS } })
  // The message repeats the first problems, so the table replaces it.
  const isListed = query.isPending || (query.data?.problems.length ?? 0) > 0
  return (
    <Stack>
      <Alert color="red" variant="light" role="alert" title={convert.failed}>
        <Stack gap="sm" align="flex-start">
          {!isListed && (
            <Code block className={classes.message} tabIndex={0} w="100%" mah={140}>
              {(job.output as JobError).message}
            </Code>
          )}
          <Text size="sm">{convert.failedHint}</Text>
          {children}
        </Stack>
      </Alert>
      <QueryView query={query}>
        {({ problems }) =>
          problems.length > 0 && (
            <SourceProblems
              problems={problems}
              csv={pathOf('listConversionProblems', { ...params, query: { format: 'csv' } })}
            />
          )
        }
      </QueryView>
    </Stack>
  )
}

type Problems = OperationReply<'listConversionProblems'>['problems']

function SourceProblems({ problems, csv }: { problems: Problems; csv: string }) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(PAGE)
  const wanted = search.trim().toLowerCase()
  const found = problems
    .map((problem, index) => ({ ...problem, key: String(index) }))
    .filter(({ place, column, message }) =>
      `${describePlace(place)} ${column ?? ''} ${message}`.toLowerCase().includes(wanted),
    )
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Text fw={600} component="h2" size="lg" m={0}>
          {format(texts.title, { count: problems.length })}
        </Text>
        <Anchor href={csv} download>
          {texts.csv}
        </Anchor>
      </Group>
      {problems.length > MANY_PROBLEMS && (
        <TextInput
          label={texts.search}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          maw={360}
        />
      )}
      {found.length === 0 ? (
        <Text>{texts.none}</Text>
      ) : (
        <CardTable
          label={texts.label}
          rows={found.slice(0, shown)}
          keyOf={({ key }) => key}
          columns={[
            { head: texts.place, cell: ({ place }) => describePlace(place) },
            { head: texts.column, name: true, cell: ({ column }) => column },
            { head: texts.message, cell: ({ message }) => <span className={classes.long}>{message}</span> },
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
