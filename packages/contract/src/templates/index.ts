export type { Answers } from './answers.ts'
export { sampleAnswers, templateProblems } from './check.ts'
export { type Filled, fillTemplate, rangesOf } from './fill.ts'
export type { Answer } from './placeholders.ts'
export { questionsOf } from './questions.ts'
export {
  summaryOf,
  TEMPLATE_FAMILIES,
  Template,
  TemplateDatapoint,
  type TemplateFamily,
  type TemplateQuestion,
  TemplateSummary,
} from './template.ts'
