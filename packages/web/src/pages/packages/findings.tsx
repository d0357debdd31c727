import { Anchor, List, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import { MAX_LISTED_NAMES, type Unlisted, type UnmatchedEmail } from '@plantroom/contract/jobs'
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
  unlisted?: Unlisted | undefined
}

/** The tags, units and people of a package that the site lacks. After the import (`isDone`) it is too late to add them. */
export function Findings({ jobId, found, isDone = false }: { jobId: string; found: Found; isDone?: boolean }) {
  const { orgId, siteId } = useSite()
  const { tagsToCreate = [], unmatchedUnits, unmatchedEmails, unlisted } = found
  const people = unmatchedEmails.map(({ email, roles }) => describePerson(email, roles))
  const isLong = [tagsToCreate, unmatchedUnits, people].some(({ length }) => length > SHOWN)
  return (
    <Stack gap="md">
      {tagsToCreate.length > 0 && (
        <Kind
          title={counted(tagsToCreate, unlisted?.tags, [texts.tags, texts.manyTags])}
          items={tagsToCreate}
          unlisted={unlisted?.tags}
          hint={undefined}
        />
      )}
      {unmatchedUnits.length > 0 && (
        <Kind
          title={counted(unmatchedUnits, unlisted?.units, [texts.units, texts.manyUnits])}
          unlisted={unlisted?.units}
          hint={isDone ? undefined : texts.unitsHint}
          items={unmatchedUnits}
        />
      )}
      {people.length > 0 && (
        <Kind
          title={counted(people, unlisted?.people, [texts.people, texts.manyPeople])}
          unlisted={unlisted?.people}
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

/** Jobs of earlier versions do not say how many names they did not list. */
function counted(
  items: readonly string[],
  unlisted: number | undefined,
  [exactly, atLeast]: readonly [Message, `${string}{count}${string}`],
): string {
  if (unlisted === undefined && items.length >= MAX_LISTED_NAMES) return format(atLeast, { count: items.length })
  return format(exactly, { count: items.length + (unlisted ?? 0) })
}

interface KindProps {
  title: string
  hint: string | undefined
  items: readonly string[]
  unlisted: number | undefined
}

function Kind({ title, hint, items, unlisted = 0 }: KindProps) {
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
      {items.length > SHOWN && <Text size="sm">{format(texts.more, { count: items.length + unlisted - SHOWN })}</Text>}
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
