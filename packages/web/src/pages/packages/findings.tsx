import { Anchor, List, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { UnmatchedEmail } from '@plantroom/contract/jobs'
import { useSite } from '../../api/use-site.ts'
import { format, formatNumber, type Message } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { describePerson } from './missing/describe-person.ts'
import classes from './packages.module.css'

const texts = packages.findings
/** The rest is in the file. */
const SHOWN = 20

interface Found {
  tagsToCreate?: readonly string[]
  unmatchedUnits: readonly string[]
  unmatchedEmails: readonly UnmatchedEmail[]
}

/** The tags, units and people of a package that the site lacks. After the import (`isDone`) it is too late to add them. */
export function Findings({ jobId, found, isDone = false }: { jobId: string; found: Found; isDone?: boolean }) {
  const { orgId, siteId } = useSite()
  const { tagsToCreate = [], unmatchedUnits, unmatchedEmails } = found
  const people = unmatchedEmails.map(({ email, roles }) => describePerson(email, roles))
  const isLong = [tagsToCreate, unmatchedUnits, people].some(({ length }) => length > SHOWN)
  return (
    <Stack gap="md">
      {tagsToCreate.length > 0 && (
        <Kind title={counted(tagsToCreate.length, texts.tags, texts.manyTags)} items={tagsToCreate} hint={undefined} />
      )}
      {unmatchedUnits.length > 0 && (
        <Kind
          title={counted(unmatchedUnits.length, texts.units, texts.manyUnits)}
          hint={isDone ? undefined : texts.unitsHint}
          items={unmatchedUnits}
        />
      )}
      {people.length > 0 && (
        <Kind
          title={counted(people.length, texts.people, texts.manyPeople)}
          hint={isDone ? undefined : texts.peopleHint}
          items={people}
        />
      )}
      {isLong && (
        <Anchor
          href={pathOf('listJobFindings', { orgId, propertyId: siteId, jobId, query: { format: 'csv' } })}
          download
        >
          {texts.download}
        </Anchor>
      )}
    </Stack>
  )
}

/** A job lists at most this many of a kind. */
const LISTED_AT_MOST = 1000

function counted(count: number, exactly: Message, atLeast: `${string}{count}${string}`): string {
  return count >= LISTED_AT_MOST ? format(atLeast, { count }) : format(exactly, { count })
}

function Kind({ title, hint, items }: { title: string; hint: string | undefined; items: readonly string[] }) {
  return (
    <div>
      <Text fw={600} component="h3" size="sm" m={0}>
        {title}
      </Text>
      {hint && <Text size="sm">{hint}</Text>}
      <List size="sm" mt={4} className={classes.columns}>
        {items.slice(0, SHOWN).map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
      {items.length > SHOWN && <Text size="sm">{format(texts.more, { count: items.length - SHOWN })}</Text>}
    </div>
  )
}

/** Numbers side by side, each with its label. */
export function Counts({ counts }: { counts: readonly (readonly [label: string, count: number | string])[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: counts.length }} m={0} spacing="sm">
      {counts.map(([label, count]) => (
        <Paper
          key={label}
          withBorder
          p="sm"
          style={{ display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' }}
        >
          <Text component="dt" size="sm">
            {label}
          </Text>
          <Text component="dd" m={0} fz={24} fw={600} className="figures">
            {typeof count === 'number' ? formatNumber(count) : count}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
