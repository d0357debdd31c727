import { Anchor, List, Stack, Text } from '@mantine/core'
import type { UnmatchedEmail } from '@plantroom/contract/jobs'
import { packagesOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { packages } from '../../texts/packages.ts'
import classes from './packages.module.css'

const texts = packages.findings
/** What a person reads through; the rest is in the file. */
const SHOWN = 20

interface Found {
  tagsToCreate?: readonly string[]
  unmatchedUnits: readonly string[]
  unmatchedEmails: readonly UnmatchedEmail[]
}

/** What of a package the site does not know: tags, units, people. `isDone`: it is imported, so that it is too late to add them. */
export function Findings({ jobId, found, isDone = false }: { jobId: string; found: Found; isDone?: boolean }) {
  const { orgId, siteId } = useSite()
  const { tagsToCreate = [], unmatchedUnits, unmatchedEmails } = found
  const people = unmatchedEmails.map(({ email, roles }) => texts.person(email, roles))
  const isLong = [tagsToCreate, unmatchedUnits, people].some(({ length }) => length > SHOWN)
  return (
    <Stack gap="md">
      {tagsToCreate.length > 0 && (
        <Kind title={texts.tags(tagsToCreate.length)} items={tagsToCreate} hint={undefined} />
      )}
      {unmatchedUnits.length > 0 && (
        <Kind
          title={texts.units(unmatchedUnits.length)}
          hint={isDone ? undefined : texts.unitsHint}
          items={unmatchedUnits}
        />
      )}
      {people.length > 0 && (
        <Kind title={texts.people(people.length)} hint={isDone ? undefined : texts.peopleHint} items={people} />
      )}
      {isLong && (
        <Anchor href={packagesOf(orgId, siteId).reportPath(jobId, 'findings', 'csv')} download>
          {texts.download}
        </Anchor>
      )}
    </Stack>
  )
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
      {items.length > SHOWN && <Text size="sm">{texts.more(items.length - SHOWN)}</Text>}
    </div>
  )
}
