import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { NewParsingJob, ParsingJob } from './schema.ts'
import { createJob, getJob, parserEvents, parserJobs, presentJob } from './service.ts'
import { parsingJobs } from './table.ts'
import { MAX_BODY_BYTES } from './upload.ts'

const parserOperations = [
  operation({
    id: 'lab_report_parser_create_job',
    route: 'POST /lab_report/v1/parser/job',
    summary: 'Upload a lab report to be parsed',
    body: NewParsingJob,
    takesForm: true,
    maxBodyBytes: MAX_BODY_BYTES,
    returns: ParsingJob,
    run: async (world, { body }) => presentJob(await createJob(world, body)),
  }),
  operation({
    id: 'lab_report_parser_get_job',
    route: 'GET /lab_report/v1/parser/job/{job_id}',
    summary: 'Get the state of a lab report',
    returns: ParsingJob,
    run: (world, { params }) => presentJob(getJob(world, params.job_id)),
  }),
]

export const reportParserResource: Resource = {
  name: 'report-parser',
  operations: parserOperations,
  tables: [parsingJobs],
  events: parserEvents,
  jobs: parserJobs,
}
