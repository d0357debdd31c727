import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SitePerson } from '@plantroom/client/tickets'
import { type FormEvent, useState } from 'react'
import { FormEnd } from '../../parts/form-end.tsx'
import { common } from '../../texts/common.ts'
import { people } from '../../texts/people.ts'
import { useListChange } from './use-people.ts'

const texts = people.people

/** Adds a person, or changes one. */
export function PersonForm({ person, onClose }: { person: SitePerson | undefined; onClose: () => void }) {
  const [email, setEmail] = useState(person?.email ?? '')
  const [name, setName] = useState(person?.name ?? '')
  const [phone, setPhone] = useState(person?.phone ?? '')
  const [isBad, setIsBad] = useState(false)
  const save = useListChange(
    'people',
    (clients, given: { email: string; name: string | null; phone: string | null }) =>
      person ? clients.people.changePerson(person.id, given) : clients.tickets.addPerson(given),
    ({ email: saved }) => {
      notifications.show({ message: texts.saved(saved) })
      onClose()
    },
  )

  function submit(event: FormEvent): void {
    event.preventDefault()
    // The service judges the rest of it.
    const isAddress = /^\S+@\S+$/.test(email.trim())
    setIsBad(!isAddress)
    if (isAddress) save.mutate({ email: email.trim(), name: name.trim() || null, phone: phone.trim() || null })
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={person ? texts.changeTitle(person.name ?? person.email) : texts.addTitle}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{person ? texts.changeHint : texts.addHint}</Text>
          <TextInput
            label={texts.email}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            required
            maxLength={255}
            error={isBad && texts.badEmail}
            data-autofocus
          />
          <TextInput
            label={texts.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={255}
          />
          <TextInput
            label={texts.phone}
            type="tel"
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            maxLength={64}
          />
          <FormEnd mutation={save} action={person ? texts.save : texts.add} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
