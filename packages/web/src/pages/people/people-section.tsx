import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SitePerson } from '@plantroom/client/tickets'
import { useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/notices.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { common } from '../../texts/common.ts'
import { people } from '../../texts/people.ts'
import { PersonForm } from './person-form.tsx'
import { matching } from './search.ts'
import { Shortened } from './shortened.tsx'
import { useListChange, usePeople } from './use-people.ts'

const texts = people.people
const whoIs = ({ name, email }: SitePerson) => name ?? email

/** The people of the site; managers add, change and remove them. */
export function PeopleSection({ search }: { search: string }) {
  const { may } = useSite()
  const query = usePeople()
  const [form, setForm] = useState<{ person: SitePerson | undefined }>()
  const [removing, setRemoving] = useState<SitePerson>()
  const remove = useListChange(
    'people',
    (clients, { id }: SitePerson) => clients.people.removePerson(id),
    (_done, person) => {
      setRemoving(undefined)
      notifications.show({ message: texts.removed(whoIs(person)) })
    },
  )

  const actions = (person: SitePerson) => (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        aria-label={texts.changeLabel(whoIs(person))}
        onClick={() => setForm({ person })}
      >
        {texts.change}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={texts.removeLabel(whoIs(person))}
        onClick={() => setRemoving(person)}
      >
        {texts.remove}
      </Button>
    </Group>
  )

  return (
    <Stack component="section">
      <Group justify="space-between">
        <Title order={2} size="h3">
          {texts.title(query.data?.length)}
        </Title>
        {may('manager') && <Button onClick={() => setForm({ person: undefined })}>{texts.add}</Button>}
      </Group>
      <QueryView query={query}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={texts.none}>{texts.noneHint}</Empty>
          ) : (
            <Shortened items={matching(all, search, ({ email, name, phone }) => [email, name, phone])}>
              {(shown) => (
                <CardTable
                  label={texts.label}
                  rows={shown}
                  keyOf={({ id }) => id}
                  columns={[
                    { head: texts.email, cell: ({ email }) => email },
                    { head: texts.name, cell: ({ name }) => name ?? common.none },
                    { head: texts.phone, cell: ({ phone }) => phone ?? common.none },
                    ...(may('manager') ? [{ head: texts.actions, plain: true, cell: actions }] : []),
                  ]}
                />
              )}
            </Shortened>
          )
        }
      </QueryView>
      {form && <PersonForm person={form.person} onClose={() => setForm(undefined)} />}
      <Confirm
        opened={removing !== undefined}
        onClose={() => {
          setRemoving(undefined)
          remove.reset()
        }}
        title={removing ? texts.removeTitle(whoIs(removing)) : ''}
        action={texts.removeAction}
        mutation={remove}
        onConfirm={() => removing && remove.mutate(removing)}
      >
        <Text>{texts.stays}</Text>
      </Confirm>
    </Stack>
  )
}
