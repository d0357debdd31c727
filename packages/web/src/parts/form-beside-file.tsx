import { Alert, Fieldset, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DocumentField } from './document-field.tsx'
import classes from './form-beside-file.module.css'
import { SmallButton } from './small-button.tsx'
import type { useDocumentEditor } from './use-document-editor.ts'

type Editor = Pick<
  ReturnType<typeof useDocumentEditor>,
  'isFileBroken' | 'undoFile' | 'text' | 'changeFile' | 'fileProblems'
>

/** One document as a form and as a file. While the file cannot be read, the form shows what it said before and waits. */
export function FormBesideFile({
  editor,
  texts,
  children,
}: {
  editor: Editor
  texts: Readonly<Record<'form' | 'file' | 'fileHint' | 'fileBroken' | 'undoFile', string>>
  children: ReactNode
}) {
  return (
    <div className={classes.editor}>
      <Stack gap="lg">
        {editor.isFileBroken && (
          <Alert color="orange" variant="light" role="status">
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{texts.fileBroken}</Text>
              <SmallButton onClick={editor.undoFile}>{texts.undoFile}</SmallButton>
            </Stack>
          </Alert>
        )}
        <Fieldset variant="unstyled" p={0} m={0} disabled={editor.isFileBroken} aria-label={texts.form}>
          {children}
        </Fieldset>
      </Stack>
      <div className={classes.file}>
        <DocumentField
          label={texts.file}
          description={texts.fileHint}
          text={editor.text}
          onChange={editor.changeFile}
          problems={editor.fileProblems}
          rows={14}
        />
      </div>
    </div>
  )
}
