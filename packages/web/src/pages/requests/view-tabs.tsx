import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { TabLinks } from '../../parts/tab-links.tsx'
import { useForm } from '../../parts/use-form.ts'
import { format } from '../../texts/format.ts'
import { views as texts } from '../../texts/requests.ts'
import { type RequestFilters, writeFilters } from './request-filters.ts'
import { currentView, type View, viewsOf } from './request-views.ts'
import classes from './requests.module.css'
import { useSavedViews } from './use-request-list.ts'

/** The views of the list as links, and buttons to save or remove one. */
export function ViewTabs({ filters }: { filters: RequestFilters }) {
  const { path, may } = useSite()
  const saved = useSavedViews()
  const all = viewsOf(saved.data ?? [])
  const current = currentView(all, filters)
  const [dialog, setDialog] = useState<'save' | 'remove'>()
  const close = () => setDialog(undefined)
  const mayRemove = current?.saved === 'own' || (current?.saved === 'shared' && may('manager'))
  return (
    <Group gap="xs" mb="sm" align="center" className={classes.screenOnly}>
      <TabLinks
        label={texts.label}
        tabs={all.map(({ id, name, query }) => ({
          name,
          to: path(query ? `/requests?${query}` : '/requests'),
          isCurrent: id === current?.id,
        }))}
      />
      {!current && saved.data && (
        <Button size="compact-sm" variant="subtle" onClick={() => setDialog('save')}>
          {texts.save}
        </Button>
      )}
      {current && mayRemove && (
        <Button size="compact-sm" variant="subtle" onClick={() => setDialog('remove')}>
          {texts.remove}
        </Button>
      )}
      {dialog === 'save' && <SaveView query={String(writeFilters(filters))} onClose={close} />}
      {current && mayRemove && <RemoveView view={current} opened={dialog === 'remove'} onClose={close} />}
    </Group>
  )
}

function SaveView({ query, onClose }: { query: string; onClose: () => void }) {
  const { may } = useSite()
  const save = useChange('addRequestView', {
    onFresh({ name }) {
      notifications.show({ message: format(texts.saved, { name }), color: 'green' })
      onClose()
    },
  })
  const form = useForm(save, { name: '', shared: false }, ({ name }) => ({ name: name === '' && texts.blankName }))
  return (
    <DialogForm
      form={form}
      title={texts.saveTitle}
      action={texts.save}
      failed={texts.notSaved}
      onClose={onClose}
      onSubmit={(filled) => save.mutate({ body: { ...filled, query } })}
      centered
    >
      <Text size="sm">{texts.saveHint}</Text>
      <TextInput label={texts.name} {...form.text('name')} data-autofocus />
      {may('manager') && <Checkbox label={texts.share} {...form.check('shared')} />}
    </DialogForm>
  )
}

function RemoveView({ view, opened, onClose }: { view: View; opened: boolean; onClose: () => void }) {
  const remove = useChange('removeRequestView', {
    onSuccess() {
      notifications.show({ message: format(texts.removed, { name: view.name }), color: 'green' })
      onClose()
    },
  })
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={format(texts.removeTitle, { name: view.name })}
      action={texts.remove}
      mutation={remove}
      onConfirm={() => remove.mutate({ viewId: view.id })}
    >
      <Text>{view.saved === 'shared' ? texts.removeShared : texts.removeOwn}</Text>
    </Confirm>
  )
}
