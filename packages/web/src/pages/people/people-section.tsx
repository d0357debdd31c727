import { Badge, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SitePerson } from '@plantroom/contract/api'
import { useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { ListView } from '../../parts/list-view.tsx'
import { Empty } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { useForm } from '../../parts/use-form.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { people } from '../../texts/people.ts'
import { matching, Shortened } from './search.tsx'
import { refreshRequests, usePeople } from './use-people.ts'

const texts = people.people
const nameOf = ({ name, email }: SitePerson) => name ?? email

/** The people of the site; managers add, change and remove them. */
export function PeopleSection({ search }: { search: string }) {
  const { may } = useSite()
  const query = usePeople()
  const [form, setForm] = useState<{ person: SitePerson | undefined }>()
  const [removing, setRemoving] = useState<SitePerson>()
  const remove = useChange('removePerson', {
    onSuccess: refreshRequests,
    onFresh() {
      setRemoving(undefined)
      notifications.show({ message: format(texts.removed, { who: removing ? nameOf(removing) : '' }) })
    },
  })

  const actions = (person: SitePerson) => (
    <PersonActions person={person} onEdit={() => setForm({ person })} onRemove={() => setRemoving(person)} />
  )

  return (
    <Stack component="section">
      <Group justify="space-between">
        <Title order={2} size="h3">
          {query.data ? format(texts.titleWithCount, { count: query.data.length }) : texts.title}
        </Title>
        {may('manager') && <Button onClick={() => setForm({ person: undefined })}>{texts.add}</Button>}
      </Group>
      <ListView query={query} empty={<Empty title={texts.none}>{texts.noneHint}</Empty>}>
        {(all) => (
          <Shortened items={matching(all, search, ({ email, name, phone }) => [email, name, phone])}>
            {(shown) => (
              <CardTable
                label={texts.label}
                rows={shown}
                keyOf={({ id }) => id}
                columns={[
                  { head: texts.email, cell: ({ email }) => email },
                  { head: texts.name, cell: ({ name, member }) => <PersonName name={name} isMember={member} /> },
                  { head: texts.phone, cell: ({ phone }) => phone ?? common.none },
                  ...(may('manager') ? [{ head: texts.actions, plain: true, cell: actions }] : []),
                ]}
              />
            )}
          </Shortened>
        )}
      </ListView>
      {form && <PersonForm person={form.person} onClose={() => setForm(undefined)} />}
      <Confirm
        opened={removing !== undefined}
        onClose={() => {
          setRemoving(undefined)
          remove.reset()
        }}
        title={removing ? format(texts.removeTitle, { who: nameOf(removing) }) : ''}
        action={texts.removeAction}
        mutation={remove}
        onConfirm={() => removing && remove.mutate({ personId: removing.id })}
      >
        <Text>{texts.stays}</Text>
      </Confirm>
    </Stack>
  )
}

function PersonName({ name, isMember }: { name: string | null; isMember: boolean | undefined }) {
  return (
    <Group gap="xs" component="span" display="inline-flex">
      {name ?? common.none}
      {isMember && <Badge variant="light">{texts.member}</Badge>}
    </Group>
  )
}

function PersonActions({ person, onEdit, onRemove }: { person: SitePerson; onEdit: () => void; onRemove: () => void }) {
  const who = nameOf(person)
  return (
    <Group gap="xs">
      <SmallButton aria-label={format(texts.changeLabel, { who })} onClick={onEdit}>
        {texts.change}
      </SmallButton>
      {/* A member leaves with their role, not here. */}
      {!person.member && (
        <SmallButton aria-label={format(texts.removeLabel, { who })} onClick={onRemove}>
          {texts.remove}
        </SmallButton>
      )}
    </Group>
  )
}

/** Adds or changes a person. */
function PersonForm({ person, onClose }: { person: SitePerson | undefined; onClose: () => void }) {
  const done = {
    onSuccess: refreshRequests,
    onFresh({ email: saved }: SitePerson) {
      notifications.show({ message: format(texts.saved, { who: saved }) })
      onClose()
    },
  }
  const [add, change] = [useChange('addPerson', done), useChange('changePerson', done)]
  const save = person ? change : add

  const initial = { email: person?.email ?? '', name: person?.name ?? '', phone: person?.phone ?? '' }
  // The service validates the rest.
  const form = useForm(save, initial, ({ email }) => ({ email: !/^[^\s@]+@\S+$/.test(email) && texts.badEmail }))

  function send({ email, name, phone }: typeof initial): void {
    const body = { email, name: name || null, phone: phone || null }
    if (person) change.mutate({ personId: person.id, body })
    else add.mutate({ body })
  }

  return (
    <DialogForm
      form={form}
      title={person ? format(texts.changeTitle, { who: person.name ?? person.email }) : texts.addTitle}
      action={person ? common.save : texts.add}
      onClose={onClose}
      onSubmit={send}
    >
      <Text size="sm">{person ? texts.changeHint : texts.addHint}</Text>
      <TextInput label={texts.email} type="email" {...form.text('email')} required data-autofocus />
      <TextInput label={texts.name} {...form.text('name')} />
      <TextInput label={texts.phone} type="tel" {...form.text('phone')} />
    </DialogForm>
  )
}
