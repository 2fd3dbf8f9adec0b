"""The operations of Petri's control API. Written by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Protocol, TypedDict, cast
from urllib.parse import quote


class OrganisationInviteAccepted(TypedDict, total=False):
    name: Optional[str]


class OrganisationMember(TypedDict):
    id: str
    name: str
    email: str
    created_on: str
    role: Literal["org_admin", "team_admin", "no_role"]
    team_role_bindings: Optional[List[ManagedTeamBinding]]


class ManagedTeamBinding(TypedDict):
    team_id: str


class OrganisationDomain(TypedDict):
    domain: str
    is_verified: bool
    created_on: str
    dns_records: Optional[List[Dict[str, str]]]
    id: str


class WebhookEndpointList(TypedDict):
    data: List[WebhookEndpoint]
    next_cursor: Optional[str]


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    secret: str
    description: Optional[str]
    event_types: Optional[List[str]]
    headers: Dict[str, str]
    disabled: bool
    created_at: str
    updated_at: str
    disabled_reason: Optional[str]
    failing_since: Optional[str]


class _NewWebhookEndpoint(TypedDict):
    url: str


class NewWebhookEndpoint(_NewWebhookEndpoint, total=False):
    secret: Optional[str]
    description: Optional[str]
    event_types: Optional[List[str]]
    headers: Optional[Dict[str, str]]
    disabled: Optional[bool]
    resend: int


class AddedWebhookEndpoint(TypedDict):
    id: str
    url: str
    secret: str
    description: Optional[str]
    event_types: Optional[List[str]]
    headers: Dict[str, str]
    disabled: bool
    created_at: str
    updated_at: str
    disabled_reason: Optional[str]
    failing_since: Optional[str]
    earlier_events: int


class WebhookEndpointPatch(TypedDict, total=False):
    url: Optional[str]
    secret: Optional[str]
    description: Optional[str]
    event_types: Optional[List[str]]
    headers: Optional[Dict[str, str]]
    disabled: Optional[bool]


class RotateWebhookSecret(TypedDict, total=False):
    secret: Optional[str]


class RotatedWebhookEndpoint(TypedDict):
    id: str
    url: str
    secret: str
    description: Optional[str]
    event_types: Optional[List[str]]
    headers: Dict[str, str]
    disabled: bool
    created_at: str
    updated_at: str
    disabled_reason: Optional[str]
    failing_since: Optional[str]
    previous_secrets: List[RotatedWebhookEndpointPreviousSecretsItem]


class RotatedWebhookEndpointPreviousSecretsItem(TypedDict):
    secret: str
    valid_until: str


class WebhookReachability(TypedDict):
    reachable: bool
    detail: Optional[str]
    in_container: bool


class _WebhookEvent(TypedDict):
    id: str
    event_type: str
    at: str
    user_id: Optional[str]
    payload: Dict[str, Any]


class WebhookEvent(_WebhookEvent, total=False):
    order_id: str


class WebhookMessageList(TypedDict):
    data: List[WebhookMessage]
    next_cursor: Optional[str]


class _WebhookMessage(TypedDict):
    id: str
    event_type: str
    user_id: Optional[str]
    endpoint_id: str
    created_at: str
    status: Literal["pending", "delivered", "failed", "no_endpoint"]
    attempts: List[WebhookAttempt]
    marks: List[str]
    svix_id: str
    subject_status: Optional[str]
    sequence: int
    payload: Optional[Dict[str, Any]]
    attempt_count: int
    last_status: Optional[int]
    last_error: Optional[str]
    last_advice: Optional[str]
    request_id: Optional[str]
    caused_by: Literal["call", "job"]
    next_attempt_at: Optional[str]


class WebhookMessage(_WebhookMessage, total=False):
    order_id: str


class _WebhookAttempt(TypedDict):
    at: str
    status: Optional[int]
    duration_ms: int
    request: WebhookAttemptRequest


class WebhookAttempt(_WebhookAttempt, total=False):
    error: str
    advice: str
    manual: bool
    marks: List[str]
    response: WebhookAttemptResponse


class WebhookAttemptRequest(TypedDict):
    headers: Dict[str, str]


class WebhookAttemptResponse(TypedDict):
    headers: Dict[str, str]
    body: str


class WebhookResend(TypedDict, total=False):
    message_id: Optional[str]
    endpoint_id: Optional[str]
    order_id: Optional[str]
    since: Optional[str]


class _WebhookResent(TypedDict):
    resent: int


class WebhookResent(_WebhookResent, total=False):
    reason: str


class WebhookFaults(TypedDict):
    duplicate: int
    reorder: int
    delay: Optional[str]
    drop_first: int
    bad_signature: bool
    stale_timestamp: bool
    burst: int
    respell: bool
    endpoint_id: Optional[str]
    endpoints: List[WebhookFaultsEndpointsItem]


class WebhookFaultsEndpointsItem(TypedDict):
    duplicate: int
    reorder: int
    delay: Optional[str]
    drop_first: int
    bad_signature: bool
    stale_timestamp: bool
    burst: int
    respell: bool
    endpoint_id: Optional[str]


class WebhookFaultsInput(TypedDict, total=False):
    duplicate: Optional[int]
    reorder: Any
    delay: Optional[str]
    drop_first: Optional[int]
    bad_signature: Optional[bool]
    stale_timestamp: Optional[bool]
    burst: Optional[int]
    respell: Optional[bool]
    endpoint_id: Optional[str]


class _Health(TypedDict):
    status: Literal["ok", "degraded"]
    version: str
    contract_version: str
    caller: Optional[str]


class Health(_Health, total=False):
    detail: str


class Stopping(TypedDict):
    stopping: bool


class Worlds(TypedDict):
    data: List[WorldView]
    next_cursor: Optional[str]


class WorldView(TypedDict):
    team_id: str
    org_id: str
    name: str
    api_key: str
    webhook_secret: str
    seed: str
    scenario: str
    like: Optional[Literal["sandbox", "production"]]
    clock: Clock
    features: Features
    counts: Dict[str, int]
    long_work: List[WorldViewLongWorkItem]
    failed_jobs: List[WorldViewFailedJobsItem]


class Clock(TypedDict):
    now: str
    frozen: bool
    pace: float
    pending: int
    next_due: Optional[str]
    advancing: bool
    scenario_day: str
    standing: Optional[str]


class Features(TypedDict):
    parity: Literal["sandbox", "production"]
    contract_form: Literal["spec", "live"]
    simulation: Literal["documented", "live"]
    partial_results_webhooks: bool
    redraws: bool
    unmatched_results: bool
    abn: bool
    psc_scheduling: bool
    working_hours: bool
    psc_time_zones: bool
    arizona_scheduling: Literal["as_elsewhere", "by_laboratory"]
    booking_before_requisition: bool
    physician_rule: Literal["enforced", "grace"]
    phone_numbers: Literal["form", "possible"]
    minor_ordering: bool
    lab_test_approval: Literal["at_once", "after_review"]
    order_lab_account: bool
    approxdraw: bool
    approxdraw_labcorp: bool
    report_parser_limits: Literal["spec", "live"]
    insurance_needs_demographics: bool
    insurance_guarantor_rule: bool
    adopt_users: bool
    sandbox_limits: bool
    bulk_operations: bool
    human_review: bool
    idempotency_mismatch: Literal["conflict", "replay"]
    visit_confirmation: Literal["pending", "at_once"]
    appointment_created_events: bool
    journal_bodies: bool
    unknown_futures: bool
    sparse: bool
    order_transactions: bool
    home_visits: Literal["everywhere", "sandbox"]
    reject_duplicate_connection: bool
    mobile_environment: Literal["by_port_and_key", "local-eu", "stg-us", "stg-eu", "dev-us", "dev-eu", "prd-us", "prd-eu"]
    sunset: Literal["ignore", "warn", "enforce"]
    history: Literal["full", "3d", "none"]
    push_historical_data: bool


class WorldViewLongWorkItem(TypedDict):
    kind: Literal["export", "import", "snapshot", "restore"]
    rows: int
    of: Optional[int]


class WorldViewFailedJobsItem(TypedDict):
    at: str
    job: str
    subject: str
    detail: str


class NewWorld(TypedDict, total=False):
    name: str
    seed: Any
    frozen: bool
    now: str
    scenario: str
    webhook_url: str
    webhook_secret: str
    pace: float
    like: Literal["sandbox", "production"]
    history: Literal["full", "3d", "none"]


class WorldPatch(TypedDict, total=False):
    scenario: str
    like: Literal["sandbox", "production"]
    features: FeaturePatch
    api_key: str


class FeaturePatch(TypedDict, total=False):
    parity: Literal["sandbox", "production"]
    contract_form: Literal["spec", "live"]
    simulation: Literal["documented", "live"]
    partial_results_webhooks: bool
    redraws: bool
    unmatched_results: bool
    abn: bool
    psc_scheduling: bool
    working_hours: bool
    psc_time_zones: bool
    arizona_scheduling: Literal["as_elsewhere", "by_laboratory"]
    booking_before_requisition: bool
    physician_rule: Literal["enforced", "grace"]
    phone_numbers: Literal["form", "possible"]
    minor_ordering: bool
    lab_test_approval: Literal["at_once", "after_review"]
    order_lab_account: bool
    approxdraw: bool
    approxdraw_labcorp: bool
    report_parser_limits: Literal["spec", "live"]
    insurance_needs_demographics: bool
    insurance_guarantor_rule: bool
    adopt_users: bool
    sandbox_limits: bool
    bulk_operations: bool
    human_review: bool
    idempotency_mismatch: Literal["conflict", "replay"]
    visit_confirmation: Literal["pending", "at_once"]
    appointment_created_events: bool
    journal_bodies: bool
    unknown_futures: bool
    sparse: bool
    order_transactions: bool
    home_visits: Literal["everywhere", "sandbox"]
    reject_duplicate_connection: bool
    mobile_environment: Literal["by_port_and_key", "local-eu", "stg-us", "stg-eu", "dev-us", "dev-eu", "prd-us", "prd-eu"]
    sunset: Literal["ignore", "warn", "enforce"]
    history: Literal["full", "3d", "none"]
    push_historical_data: bool


class Reset(TypedDict, total=False):
    seed: Any
    keep_endpoints: bool
    new_ids: bool


class ResetWorld(TypedDict):
    team_id: str
    org_id: str
    name: str
    api_key: str
    webhook_secret: str
    seed: str
    scenario: str
    like: Optional[Literal["sandbox", "production"]]
    clock: Clock
    features: Features
    counts: Dict[str, int]
    long_work: List[ResetWorldLongWorkItem]
    failed_jobs: List[ResetWorldFailedJobsItem]
    removed_endpoints: List[str]


class ResetWorldLongWorkItem(TypedDict):
    kind: Literal["export", "import", "snapshot", "restore"]
    rows: int
    of: Optional[int]


class ResetWorldFailedJobsItem(TypedDict):
    at: str
    job: str
    subject: str
    detail: str


class ClockPatch(TypedDict, total=False):
    frozen: bool
    pace: float
    now: str


class Advance(TypedDict, total=False):
    by: str
    to: str
    until: Literal["idle", "next"]
    order_id: str
    status: str


class _Advanced(TypedDict):
    now: str
    effects: List[Effect]
    pending: int
    next_due: Optional[str]
    summary: List[str]


class Advanced(_Advanced, total=False):
    effects_dropped: int
    stopped: bool


class _Effect(TypedDict):
    at: str
    kind: str


class Effect(_Effect, total=False):
    order_id: str
    user_id: str
    event_type: str
    message_id: str
    status: Any
    detail: Optional[str]
    advice: str


class StoppedAdvance(TypedDict):
    stopped: bool
    now: str


class Agenda(TypedDict):
    data: List[AgendaItem]
    total: int


class AgendaItem(TypedDict):
    due: str
    kind: str
    subject: str
    order_id: Optional[str]
    user_id: Optional[str]
    does: str
    recurring: bool


class Ids(TypedDict):
    data: List[IdsDataItem]
    total: int


class IdsDataItem(TypedDict):
    kind: str
    id: str


class Lifecycle(TypedDict):
    workflows: List[Workflow]
    phases: List[str]
    status_details: Dict[str, List[str]]


class Workflow(TypedDict):
    name: str
    method: str
    happy_path: List[str]
    statuses: List[LifecycleStatus]


class LifecycleStatus(TypedDict):
    name: str
    status: str
    phase: str
    leads_to: List[str]


class Faults(TypedDict):
    faults: List[Fault]


class Fault(TypedDict):
    id: str
    operation: str
    operation_id: str
    order_id: Optional[str]
    times: Optional[int]
    rate: float
    after: int
    respond: Optional[FaultRespond]
    latency: Optional[FaultLatency]
    drop: Optional[Literal["reset", "truncate"]]
    seen: int
    hits: int


class _FaultRespond(TypedDict):
    status: int


class FaultRespond(_FaultRespond, total=False):
    detail: Any
    body: Any
    headers: Dict[str, str]


class FaultLatency(TypedDict):
    min: str
    max: str


class FaultsInput(TypedDict):
    faults: List[FaultInput]


class _FaultInput(TypedDict):
    operation: str


class FaultInput(_FaultInput, total=False):
    times: Optional[int]
    rate: Optional[float]
    after: Optional[int]
    respond: Optional[FaultResponse]
    latency: Any
    drop: Optional[Literal["reset", "truncate"]]


class _FaultResponse(TypedDict):
    status: int


class FaultResponse(_FaultResponse, total=False):
    detail: Any
    body: Any
    headers: Optional[Dict[str, str]]


class RefusedCallList(TypedDict):
    data: List[RefusedCall]
    next_cursor: Optional[str]


class RefusedCall(TypedDict):
    at: str
    operation: str
    method: str
    path: str
    status: int
    detail: str


class RequestList(TypedDict):
    data: List[RequestSummary]
    next_cursor: Optional[str]


RequestSummary = TypedDict(
    "RequestSummary",
    {
        "id": "str",
        "at": "str",
        "sequence": "int",
        "operation": "Optional[str]",
        "method": "str",
        "path": "str",
        "status": "int",
        "duration_ms": "int",
        "from": "Optional[str]",
        "ignored_count": "int",
        "fault_id": "Optional[str]",
    },
    total=False,
)


Request = TypedDict(
    "Request",
    {
        "id": "str",
        "at": "str",
        "sequence": "int",
        "operation": "Optional[str]",
        "method": "str",
        "path": "str",
        "status": "int",
        "duration_ms": "int",
        "from": "Optional[str]",
        "ignored_count": "int",
        "fault_id": "Optional[str]",
        "headers": "Dict[str, str]",
        "body": "Any",
        "response": "Any",
        "ignored": "List[str]",
        "nearest_fields": "Dict[str, str]",
        "caused": "List[CausedEvent]",
        "nearest": "List[str]",
        "adopted_users": "List[str]",
    },
    total=False,
)


class CausedEvent(TypedDict):
    event_id: str
    event_type: str
    subject_status: Optional[str]
    at: str
    messages: List[CausedEventMessagesItem]


class CausedEventMessagesItem(TypedDict):
    id: str
    endpoint_id: str
    status: str


class Wait(TypedDict, total=False):
    order_id: str
    status: str
    message: WaitMessage
    request: WaitRequest
    times: int
    timeout: str


class WaitMessage(TypedDict, total=False):
    event_type: str
    order_id: str
    user_id: str
    status: Literal["pending", "delivered", "failed"]


class _WaitRequest(TypedDict):
    operation: str


class WaitRequest(_WaitRequest, total=False):
    status: Any


class Found(TypedDict, total=False):
    order: Order
    messages: List[WebhookMessage]
    requests: List[RequestSummary]


class _Order(TypedDict):
    user_id: str
    id: str
    team_id: str
    patient_details: Optional[PatientDetails]
    patient_address: Optional[PatientAddress]
    lab_test: OrderedLabTest
    details: Any
    sample_id: Optional[str]
    notes: Optional[str]
    clinical_notes: Optional[str]
    created_at: str
    updated_at: str
    events: List[OrderEvent]
    status: Optional[Literal["received", "collecting_sample", "sample_with_lab", "completed", "cancelled", "failed"]]
    last_event: OrderEvent
    physician: Optional[Physician]
    health_insurance_id: Optional[str]
    requisition_form_url: Optional[str]
    priority: bool
    shipping_details: Optional[ShippingDetails]
    activate_by: Optional[str]
    passthrough: Optional[str]
    billing_type: Literal["client_bill", "commercial_insurance", "patient_bill_passthrough", "patient_bill", "upfront_payment"]
    icd_codes: Optional[List[str]]
    has_abn: bool
    interpretation: Optional[Literal["normal", "abnormal", "critical", "unknown"]]
    has_missing_results: Optional[bool]
    expected_result_by_date: Optional[str]
    worst_case_result_by_date: Optional[str]
    origin: Optional[Literal["initial", "redraw", "recreation"]]
    order_transaction: Optional[OrderTransaction]
    lab_account_id: Optional[str]


class Order(_Order, total=False):
    health_insurace_id: Optional[str]


class PatientDetails(TypedDict):
    first_name: Optional[str]
    last_name: Optional[str]
    dob: str
    gender: str
    phone_number: Optional[str]
    email: Optional[str]
    medical_proxy: Optional[MedicalProxy]
    race: Optional[Literal["african_american_or_black", "asian", "indigenous_native_american_alaska_native", "other", "pacific_islander_or_hawaiian", "white_caucasian"]]
    ethnicity: Optional[Literal["hispanic", "non_hispanic", "ashkenazi_jewish", "other"]]
    sexual_orientation: Optional[Literal["lesbian_gay_or_homosexual", "heterosexual_or_straight", "bisexual", "dont_know", "other"]]
    gender_identity: Optional[Literal["male", "female", "female_to_male_ftm_transgender_male_trans_man", "male_to_female_mtf_transgender_female_trans_woman", "genderqueer", "other"]]


class _MedicalProxy(TypedDict):
    first_name: str
    last_name: str
    address: Address
    phone_number: str


class MedicalProxy(_MedicalProxy, total=False):
    household_income: Optional[int]
    household_size: Optional[int]
    email: Optional[str]


class Address(TypedDict):
    first_line: str
    second_line: Optional[str]
    country: str
    zip: str
    city: str
    state: str
    access_notes: Optional[str]


class PatientAddress(TypedDict):
    receiver_name: str
    first_line: str
    second_line: Optional[str]
    city: str
    state: str
    zip: str
    country: str
    access_notes: Optional[str]
    phone_number: Optional[str]


class _OrderedLabTest(TypedDict):
    id: str
    slug: str
    name: str
    sample_type: Literal["dried_blood_spot", "arm_collector", "serum", "saliva", "urine", "stool"]
    method: Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]
    price: float
    is_active: bool
    status: Literal["active", "pending_approval", "inactive"]
    fasting: bool
    lab: Optional[Lab]
    markers: Optional[List[Marker]]
    is_delegated: bool
    auto_generated: bool
    has_collection_instructions: Optional[bool]
    common_tat_days: Optional[int]
    worst_case_tat_days: Optional[int]


class OrderedLabTest(_OrderedLabTest, total=False):
    description: Optional[str]


class Lab(TypedDict):
    id: int
    slug: str
    name: str
    first_line_address: str
    city: str
    zipcode: str
    collection_methods: List[Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]]
    sample_types: List[Literal["dried_blood_spot", "arm_collector", "serum", "saliva", "urine", "stool"]]
    logo_url: Optional[str]


class Marker(TypedDict):
    id: int
    name: str
    slug: str
    description: Optional[str]
    lab_id: Optional[int]
    provider_id: Optional[str]
    type: Optional[Literal["biomarker", "panel"]]
    unit: Optional[str]
    price: Optional[str]
    aoe: Optional[Aoe]
    a_la_carte_enabled: bool
    common_tat_days: Optional[int]
    worst_case_tat_days: Optional[int]
    is_orderable: Optional[bool]


class Aoe(TypedDict):
    questions: List[AoeQuestion]


class AoeQuestion(TypedDict):
    id: int
    required: bool
    code: str
    value: str
    type: Literal["choice", "text", "numeric", "multi_choice"]
    sequence: int
    answers: List[AoeQuestionAnswersItem]
    constraint: Optional[str]
    default: Optional[str]


class AoeQuestionAnswersItem(TypedDict):
    id: int
    code: str
    value: str


class OrderEvent(TypedDict):
    id: int
    created_at: str
    status: str
    status_detail: Optional[str]


class Physician(TypedDict):
    first_name: str
    last_name: str
    npi: str


class ShippingDetails(TypedDict):
    receiver_name: str
    first_line: str
    second_line: Optional[str]
    city: str
    state: str
    zip: str
    country: str
    phone_number: str


class OrderTransaction(TypedDict):
    id: str
    status: Literal["active", "completed", "cancelled"]
    orders: List[OrderInTransaction]


class OrderInTransaction(TypedDict):
    id: str
    low_level_status: Optional[str]
    low_level_status_created_at: Optional[str]
    origin: Optional[Literal["initial", "redraw", "recreation"]]
    parent_id: Optional[str]
    created_at: str
    updated_at: str


class Snapshots(TypedDict):
    data: List[Snapshot]
    next_cursor: Optional[str]
    unreadable: List[SnapshotsUnreadableItem]


class Snapshot(TypedDict):
    name: str
    at: str
    frozen: bool
    rows: int


class SnapshotsUnreadableItem(TypedDict):
    name: str
    reason: str


class _State(TypedDict):
    format: float
    petri_version: str
    team_id: str
    org_id: str
    base_url: str
    seed: str
    clock: StateClock
    birth: StateBirth
    settings: StateSettings
    tables: Dict[str, Dict[str, Dict[str, Any]]]
    organisation: Dict[str, Dict[str, Dict[str, Any]]]


class State(_State, total=False):
    behaviour_seed: str


class StateClock(TypedDict):
    now: str
    frozen: bool


class StateBirth(TypedDict):
    frozen: bool
    now: Optional[str]
    pace: float
    scenario: str
    webhook_url: Optional[str]


class StateSettings(TypedDict):
    pace: float
    scenario: str
    features: Dict[str, Any]


class _StateInput(TypedDict):
    format: float
    team_id: str
    org_id: str
    base_url: Any
    seed: Any
    clock: StateInputClock
    birth: StateInputBirth
    settings: StateInputSettings
    tables: Dict[str, Dict[str, Dict[str, Any]]]


class StateInput(_StateInput, total=False):
    petri_version: str
    behaviour_seed: Any
    organisation: Dict[str, Dict[str, Dict[str, Any]]]


class StateInputClock(TypedDict):
    now: str
    frozen: bool


class StateInputBirth(TypedDict):
    frozen: bool
    now: str
    pace: float
    scenario: str
    webhook_url: Optional[str]


class StateInputSettings(TypedDict):
    pace: float
    scenario: str
    features: FeaturePatch


class _Trigger(TypedDict):
    event_type: str


class Trigger(_Trigger, total=False):
    order_id: str
    user_id: str
    provider: str
    appointment_id: str
    job_id: str
    raw_result_id: str
    quote_id: str
    checkout_session_id: str
    data: Any


class Triggered(TypedDict):
    event_id: str
    event_type: str
    made_up: bool
    messages: List[WebhookMessage]


class Coverage(TypedDict):
    operations: CoverageOperations
    order_statuses: CoverageOrderStatuses
    event_types: CoverageEventTypes
    errors: CoverageErrors
    unknown_paths: Dict[str, int]


class CoverageOperations(TypedDict):
    met: List[CoverageOperationsMetItem]
    never: List[CoverageOperationsNeverItem]


class CoverageOperationsMetItem(TypedDict):
    id: str
    route: str
    statuses: Dict[str, int]


class CoverageOperationsNeverItem(TypedDict):
    id: str
    route: str


class CoverageOrderStatuses(TypedDict):
    met: Dict[str, int]
    never: List[str]


class CoverageEventTypes(TypedDict):
    met: Dict[str, int]
    delivered: Dict[str, int]
    never: List[str]


class CoverageErrors(TypedDict):
    met: Dict[str, int]
    never: List[str]


class EtlTarget(TypedDict):
    url: Optional[str]
    delivered: int
    waiting: int
    last_error: Optional[str]


class EtlTargetInput(TypedDict):
    url: str


class ScenarioList(TypedDict):
    data: List[ScenarioSummary]


class _ScenarioSummary(TypedDict):
    name: str
    kind: Literal["order", "feed", "persona"]
    summary: str
    uploaded: bool
    group: str
    error: Optional[str]
    method: Optional[str]
    zip: Optional[str]


class ScenarioSummary(_ScenarioSummary, total=False):
    statuses: Dict[str, List[ScenarioStatus]]


class ScenarioStatus(TypedDict):
    status: str
    status_detail: Optional[str]
    after_ms: Optional[float]
    before_visit_ms: Optional[float]


class ScenarioView(TypedDict):
    name: str
    kind: Literal["order", "feed", "persona"]
    summary: str
    uploaded: bool
    group: str
    error: Optional[str]
    method: Optional[str]
    zip: Optional[str]
    statuses: Dict[str, List[ScenarioStatus]]
    steps: List[FeedMoment]
    warnings: List[str]
    source: str


class FeedMoment(TypedDict):
    at_ms: float
    does: str


class ScenarioCheck(TypedDict):
    valid: bool
    name: Optional[str]
    kind: Literal["order", "feed", "persona"]
    summary: Optional[str]
    refusals: List[ScenarioRefusal]
    warnings: List[ScenarioRefusal]
    method: Optional[str]
    statuses: Dict[str, List[ScenarioStatus]]
    steps: List[FeedMoment]


class ScenarioRefusal(TypedDict):
    line: int
    step: Optional[int]
    message: str
    legal: Optional[List[str]]


class OrderScenario(TypedDict):
    order_id: str
    scenario: Optional[str]
    next: Optional[str]
    next_due: Optional[str]
    waits_for: Optional[str]
    left_because: Optional[str]
    dropped: List[str]
    warning: Optional[str]


OrderScenarioInput = TypedDict(
    "OrderScenarioInput",
    {
        "scenario": "str",
        "from": "str",
    },
    total=False,
)


class OrderHistory(TypedDict):
    data: List[OrderHistoryDataItem]


class OrderHistoryDataItem(TypedDict):
    id: str


class UserScenarioInput(TypedDict):
    scenario: Optional[str]


class UserScenario(TypedDict):
    user_id: str
    scenario: Optional[str]


class UsualFeed(TypedDict):
    scenario: Optional[str]


class FeedInput(TypedDict):
    scenario: Optional[str]


class UserFeed(TypedDict):
    user_id: str
    scenario: Optional[str]


class ConnectionFeedView(TypedDict):
    user_id: str
    provider: str
    scenario: str
    began_at: Optional[str]
    next: Optional[str]
    next_at: Optional[str]
    without_effect: List[str]
    marks: List[FeedMark]
    before: List[ConnectionFeedViewBeforeItem]


FeedMark = TypedDict(
    "FeedMark",
    {
        "does": "Literal['held_back', 'changed', 'doubled']",
        "series": "Optional[List[str]]",
        "from": "Optional[str]",
        "until": "Optional[str]",
        "settled_at": "Optional[str]",
    },
    total=False,
)


class ConnectionFeedViewBeforeItem(TypedDict):
    scenario: str
    began_at: str
    ended_at: str


class ConnectionFeedInput(TypedDict):
    scenario: str


class UserPersona(TypedDict):
    user_id: str
    persona: Optional[str]
    begins: Optional[str]


class UserPersonaInput(TypedDict):
    persona: Optional[str]


UserTruth = TypedDict(
    "UserTruth",
    {
        "user_id": "str",
        "persona": "Optional[str]",
        "sex": "Literal['female', 'male']",
        "birth_date": "str",
        "race": "Literal['african_american_or_black', 'asian', 'indigenous_native_american_alaska_native', 'other', 'pacific_islander_or_hawaiian', 'white_caucasian']",
        "ethnicity": "Literal['hispanic', 'non_hispanic', 'ashkenazi_jewish', 'other']",
        "from": "str",
        "until": "str",
        "traits": "Dict[str, float]",
        "conditions": "List[UserTruthConditionsItem]",
        "treatments": "List[UserTruthTreatmentsItem]",
        "episodes": "List[UserTruthEpisodesItem]",
        "cycles": "List[UserTruthCyclesItem]",
        "life": "UserTruthLife",
    },
    total=False,
)


class UserTruthConditionsItem(TypedDict):
    name: str
    since: str
    until: Optional[str]
    diagnosed: bool
    degree: Optional[float]
    control: Optional[float]


class UserTruthTreatmentsItem(TypedDict):
    name: Literal["statin", "metformin", "insulin", "glp1", "levothyroxine", "iron_supplement", "vitamin_d_supplement", "vitamin_b12_supplement", "antihypertensive", "beta_blocker", "contraceptive_pill"]
    since: str
    until: Optional[str]
    share: Optional[float]


class UserTruthEpisodesItem(TypedDict):
    name: Literal["illness", "travel", "bad_week"]
    since: str
    until: str
    degree: float


class UserTruthCyclesItem(TypedDict):
    begins: str
    days: float
    ovulation: Optional[str]


class UserTruthLife(TypedDict):
    pregnant_weeks: Optional[float]
    weeks_after_birth: Optional[float]
    contraceptive_pill: bool
    years_after_menopause: Optional[float]
    maturity: float


class _Move(TypedDict):
    status: str


class Move(_Move, total=False):
    status_detail: str
    patient: MovePatient
    shipment: MoveShipment
    results: MoveResults
    force: bool


class MovePatient(TypedDict, total=False):
    first_name: str
    last_name: str
    dob: str
    gender: Literal["female", "male", "other", "unknown"]
    phone_number: str
    email: str


class MoveShipment(TypedDict, total=False):
    outbound_courier: str
    inbound_courier: str
    outbound_tracking_number: str
    inbound_tracking_number: str
    notes: str


class MoveResults(TypedDict, total=False):
    interpretation: Literal["normal", "abnormal", "critical", "unknown"]
    missing: Any
    types: List[Literal["numeric", "range", "comment", "coded_value"]]
    values: Dict[str, Any]
    comment: str
    pdf: str


class Board(TypedDict):
    data: List[BoardRow]
    total: int
    next_cursor: Optional[str]
    counts: Dict[str, int]
    attention: Attention


class BoardRow(TypedDict):
    id: str
    user_id: str
    patient: Optional[str]
    recipient: Optional[str]
    lab_test: str
    method: str
    status: str
    has_missing_results: bool
    interpretation: Optional[str]
    since: str
    scenario: Optional[str]
    next: Optional[str]
    next_due: Optional[str]
    waits_for: Optional[str]


class Attention(TypedDict):
    failing_messages: int
    refused_requests: int
    requests_with_ignored_fields: int
    critical_results: int
    waiting_for_registration: int


class OrderPlacing(TypedDict, total=False):
    id: str
    scenario: str
    method: Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]
    registrable: bool
    redraw: bool
    user_id: str
    lab_test_id: str
    zip: str
    status: str
    announce: bool


class _PlacedOrder(TypedDict):
    user_id: str
    id: str
    team_id: str
    patient_details: PatientDetails
    patient_address: PatientAddress
    lab_test: OrderedLabTest
    details: Any
    sample_id: Optional[str]
    notes: Optional[str]
    clinical_notes: Optional[str]
    created_at: str
    updated_at: str
    events: List[OrderEvent]
    status: Optional[Literal["received", "collecting_sample", "sample_with_lab", "completed", "cancelled", "failed"]]
    last_event: OrderEvent
    physician: Physician
    health_insurance_id: Optional[str]
    requisition_form_url: Optional[str]
    priority: bool
    shipping_details: ShippingDetails
    activate_by: Optional[str]
    passthrough: Optional[str]
    billing_type: Literal["client_bill", "commercial_insurance", "patient_bill_passthrough", "patient_bill", "upfront_payment"]
    icd_codes: Optional[List[str]]
    has_abn: bool
    interpretation: Optional[Literal["normal", "abnormal", "critical", "unknown"]]
    has_missing_results: Optional[bool]
    expected_result_by_date: Optional[str]
    worst_case_result_by_date: Optional[str]
    origin: Optional[Literal["initial", "redraw", "recreation"]]
    order_transaction: OrderTransaction
    lab_account_id: Optional[str]
    scenario: Optional[str]
    warning: Optional[str]


class PlacedOrder(_PlacedOrder, total=False):
    health_insurace_id: Optional[str]


class OrderLife(TypedDict):
    order: Order
    explanation: Explanation
    workflow: str
    legal: List[str]
    planned: List[PlannedStatus]
    scenario: OrderScenario
    agenda: List[AgendaItem]
    messages: OrderLifeMessages
    request_ids: List[str]
    documents: List[OrderDocument]


class Explanation(TypedDict):
    sentence: str
    lines: List[str]
    actions: List[OrderAction]


class OrderAction(TypedDict):
    kind: Literal["register", "book", "enable_endpoint", "resend", "advance", "move"]
    label: str
    method: str
    path: str
    body: Optional[Dict[str, Any]]
    command: str


class PlannedStatus(TypedDict):
    status: str
    status_detail: Optional[str]
    due: Optional[str]
    waits_for: Optional[str]


class OrderLifeMessages(TypedDict):
    total: int
    delivered: int
    pending: int
    failed: int
    last_error: Optional[str]


class OrderDocument(TypedDict):
    name: str
    path: str
    available: bool


class Appointment(TypedDict):
    id: str
    user_id: str
    order_id: str
    order_transaction_id: Optional[str]
    address: USAddress
    location: LngLat
    start_at: Optional[str]
    end_at: Optional[str]
    iana_timezone: Optional[str]
    type: Literal["phlebotomy", "patient_service_center"]
    provider: Literal["getlabs", "phlebfinders", "quest", "sonora_quest"]
    status: Literal["confirmed", "pending", "reserved", "in_progress", "completed", "cancelled"]
    provider_id: str
    external_id: Optional[str]
    can_reschedule: bool
    appointment_notes: Optional[str]
    event_status: Literal["pending", "reserved", "scheduled", "completed", "cancelled", "in_progress"]
    event_data: Optional[Dict[str, Any]]
    events: List[ClientFacingAppointmentEvent]


class USAddress(TypedDict):
    first_line: str
    second_line: Optional[str]
    city: str
    state: str
    zip_code: str
    country: str
    unit: Optional[str]
    access_notes: Optional[str]


class LngLat(TypedDict):
    lng: float
    lat: float


class ClientFacingAppointmentEvent(TypedDict):
    created_at: str
    status: Literal["pending", "reserved", "scheduled", "completed", "cancelled", "in_progress"]
    data: Optional[Dict[str, Any]]


class ExactResults(TypedDict, total=False):
    values: Dict[str, Any]
    comment: str
    pdf: str


class ResultsPut(TypedDict):
    order_id: str
    status: str
    applied: bool


class CheckoutSessions(TypedDict):
    data: List[CheckoutSessionsDataItem]
    next_cursor: Optional[str]


class CheckoutSessionsDataItem(TypedDict):
    checkout_session_id: str
    status: Literal["unpaid", "paid", "expired", "cancelled"]
    pay_before: str
    payment_resource_id: Optional[str]
    order_id: Optional[str]
    order_transaction_id: Optional[str]
    appointment_hold_status: Optional[Literal["pending", "held", "failed"]]
    appointment_id: Optional[str]
    payment_resource_url: Optional[str]
    payment_resource_client_secret: Optional[str]
    user_id: str
    created_at: str
    quote: CheckoutQuote


class CheckoutQuote(TypedDict):
    id: str
    parent_id: Optional[str]
    created_at: str
    expires_at: str
    modality: Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]
    priority: bool
    us_state: str
    order_set: QuotedOrderSet
    walk_in_collection_networks: List[Literal["quest", "sonora_quest", "labcorp", "bioreference"]]
    line_items: List[CheckoutQuoteLineItemsItem]


class QuotedOrderSet(TypedDict):
    lab_test_ids: Optional[List[str]]
    add_on: Optional[QuotedAddOn]
    lab_account_id: Optional[str]
    parameters: Optional[QuotedOrderSetParameters]


class QuotedAddOn(TypedDict):
    marker_ids: Optional[List[int]]
    provider_ids: Optional[List[str]]


class QuotedOrderSetParameters(TypedDict):
    fasting: Optional[Literal["fasting_required", "fasting_not_required"]]


class CheckoutQuoteLineItemsItem(TypedDict):
    code: Literal["lab_test_fee", "draw_fee"]
    amount_minor: int
    currency: Literal["USD"]


class Payment(TypedDict, total=False):
    outcome: Literal["paid", "declined", "cancelled"]


class CheckoutSession(TypedDict):
    checkout_session_id: str
    status: Literal["unpaid", "paid", "expired", "cancelled"]
    pay_before: str
    payment_resource_id: Optional[str]
    order_id: Optional[str]
    order_transaction_id: Optional[str]
    appointment_hold_status: Optional[Literal["pending", "held", "failed"]]
    appointment_id: Optional[str]
    payment_resource_url: Optional[str]
    payment_resource_client_secret: Optional[str]


class UserCreation(TypedDict, total=False):
    client_user_id: str
    fallback_time_zone: Optional[str]
    fallback_birth_date: Optional[str]
    ingestion_start: Optional[str]
    ingestion_end: Optional[str]
    user_id: str
    persona: str


class User(TypedDict):
    user_id: str
    team_id: str
    client_user_id: str
    created_on: str
    connected_sources: List[ConnectedSource]
    fallback_time_zone: Optional[FallbackTimeZone]
    fallback_birth_date: Optional[FallbackBirthDate]
    ingestion_start: Optional[str]
    ingestion_end: Optional[str]


class ConnectedSource(TypedDict):
    provider: ProviderName
    created_on: str
    source: ProviderName


class ProviderName(TypedDict):
    name: str
    slug: str
    logo: str


class FallbackTimeZone(TypedDict):
    id: str
    source_slug: str
    updated_at: str


class FallbackBirthDate(TypedDict):
    value: str
    source_slug: str
    updated_at: str


class UserSummaries(TypedDict):
    data: List[UserSummary]
    total: int


class UserSummary(TypedDict):
    user_id: str
    client_user_id: str
    name: Optional[str]
    created_on: str
    providers: List[str]
    orders: int
    scenario: Optional[str]


class FhirUser(TypedDict):
    resourceType: Literal["Bundle"]
    type: Literal["collection"]
    timestamp: str
    entry: List[FhirUserEntryItem]


class FhirUserEntryItem(TypedDict):
    fullUrl: str
    resource: Any


class _LabTestCreation(TypedDict):
    name: str
    method: Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]
    description: str


class LabTestCreation(_LabTestCreation, total=False):
    marker_ids: Optional[List[int]]
    provider_ids: Optional[List[str]]
    fasting: Optional[bool]
    lab_account_id: Optional[str]
    lab_slug: Optional[str]
    source_sandbox_lab_test_id: Optional[str]
    id: str


class LabTest(TypedDict):
    id: str
    slug: str
    name: str
    sample_type: Literal["dried_blood_spot", "arm_collector", "serum", "saliva", "urine", "stool"]
    method: Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]
    price: float
    is_active: bool
    status: Literal["active", "pending_approval", "inactive"]
    fasting: bool
    lab: Lab
    markers: Optional[List[Marker]]
    is_delegated: bool
    auto_generated: bool
    source_sandbox_lab_test_id: Optional[str]
    has_collection_instructions: Optional[bool]
    common_tat_days: Optional[int]
    worst_case_tat_days: Optional[int]


class _UserData(TypedDict):
    resource: str
    provider: str


class UserData(_UserData, total=False):
    source_type: str
    samples: List[Dict[str, Any]]
    summary: Dict[str, Any]


class UserDataKept(TypedDict):
    resource: str
    created: int
    updated: int
    id: Optional[str]
    event_types: List[str]


class MobileState(TypedDict):
    sessions: int
    syncs: List[MobileStateSyncsItem]


class MobileStateSyncsItem(TypedDict):
    provider: str
    status: Literal["active", "paused", "error"]
    uploads: List[MobileStateSyncsItemUploadsItem]
    stages: List[MobileStateSyncsItemStagesItem]
    report: Optional[Dict[str, Any]]
    reported_at: Optional[str]


class MobileStateSyncsItemUploadsItem(TypedDict):
    resource: str
    items: int
    last_at: str


class MobileStateSyncsItemStagesItem(TypedDict):
    resource: str
    range_start: str
    range_end: str
    started_at: str
    ended_at: Optional[str]


class MobileSessionsRevoked(TypedDict):
    revoked: int


class Caller(Protocol):
    """Sends a call and returns its JSON."""

    def call(
        self, method: str, path: str, body: Any = None, query: Optional[Mapping[str, Any]] = None
    ) -> Any: ...


class Operations:
    """All operations of the control API, as they are."""

    def __init__(self, caller: Caller) -> None:
        self._call = caller.call

    def invite_accept(self, invite_id: str, body: Optional[OrganisationInviteAccepted] = None) -> OrganisationMember:
        """Accept an invitation to the organisation as its recipient."""
        return cast("OrganisationMember", self._call("POST", f"/_petri/organisation/invites/{quote(invite_id, safe='')}/accept", body))

    def domain_publish(self, domain_id: str) -> OrganisationDomain:
        """Publish the DNS record of a domain of the organisation, so that it can be verified."""
        return cast("OrganisationDomain", self._call("POST", f"/_petri/organisation/domains/{quote(domain_id, safe='')}/publish"))

    def webhook_endpoints_list(self) -> WebhookEndpointList:
        """List the webhook endpoints of this world."""
        return cast("WebhookEndpointList", self._call("GET", "/_petri/webhooks/endpoints"))

    def webhook_endpoints_create(self, body: NewWebhookEndpoint) -> AddedWebhookEndpoint:
        """Add a webhook endpoint; it signs with the secret of the world unless one is given."""
        return cast("AddedWebhookEndpoint", self._call("POST", "/_petri/webhooks/endpoints", body))

    def webhook_endpoints_patch(self, endpoint_id: str, body: WebhookEndpointPatch) -> WebhookEndpoint:
        """Change an endpoint; null for all event types; enabling it resets its failures."""
        return cast("WebhookEndpoint", self._call("PATCH", f"/_petri/webhooks/endpoints/{quote(endpoint_id, safe='')}", body))

    def webhook_endpoints_delete(self, endpoint_id: str) -> None:
        """Remove an endpoint; its pending messages are given up."""
        self._call("DELETE", f"/_petri/webhooks/endpoints/{quote(endpoint_id, safe='')}")

    def webhook_endpoints_rotate_secret(self, endpoint_id: str, body: Optional[RotateWebhookSecret] = None) -> RotatedWebhookEndpoint:
        """Give an endpoint a new secret; the old one also signs for one day."""
        return cast("RotatedWebhookEndpoint", self._call("POST", f"/_petri/webhooks/endpoints/{quote(endpoint_id, safe='')}/rotate-secret", body))

    def webhook_endpoints_reach(self, endpoint_id: str) -> WebhookReachability:
        """Check whether Petri can connect to the receiver; nothing is sent."""
        return cast("WebhookReachability", self._call("POST", f"/_petri/webhooks/endpoints/{quote(endpoint_id, safe='')}/reach"))

    def event_get(self, event_id: str) -> WebhookEvent:
        """Show one event with its body, even if no endpoint is subscribed to it."""
        return cast("WebhookEvent", self._call("GET", f"/_petri/events/{quote(event_id, safe='')}"))

    def webhook_messages_list(self, *, event_type: Optional[str] = None, order_id: Optional[str] = None, user_id: Optional[str] = None, endpoint_id: Optional[str] = None, status: Optional[Literal["pending", "delivered", "failed", "failing", "no_endpoint"]] = None, q: Optional[str] = None, fields: Optional[Literal["summary"]] = None, order: Optional[Literal["asc", "desc"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> WebhookMessageList:
        """List messages with their attempts, newest last unless order says desc."""
        return cast("WebhookMessageList", self._call("GET", "/_petri/webhooks/messages", query={"event_type": event_type, "order_id": order_id, "user_id": user_id, "endpoint_id": endpoint_id, "status": status, "q": q, "fields": fields, "order": order, "limit": limit, "cursor": cursor}))

    def webhook_messages_get(self, message_id: str) -> WebhookMessage:
        """Show one message with its payload and attempts."""
        return cast("WebhookMessage", self._call("GET", f"/_petri/webhooks/messages/{quote(message_id, safe='')}"))

    def webhook_resend(self, body: Optional[WebhookResend] = None) -> WebhookResent:
        """Send messages again now: all that were given up or wait for their next attempt, or one by its id, also if it was delivered."""
        return cast("WebhookResent", self._call("POST", "/_petri/webhooks/resend", body))

    def webhook_faults_get(self, *, endpoint_id: Optional[str] = None) -> WebhookFaults:
        """Show the webhook faults of the world or of one endpoint."""
        return cast("WebhookFaults", self._call("GET", "/_petri/webhooks/faults", query={"endpoint_id": endpoint_id}))

    def webhook_faults_put(self, body: WebhookFaultsInput) -> WebhookFaults:
        """Replace the webhook faults; omitted rules are off."""
        return cast("WebhookFaults", self._call("PUT", "/_petri/webhooks/faults", body))

    def webhook_faults_delete(self, *, endpoint_id: Optional[str] = None) -> None:
        """Remove the webhook faults of the world or of one endpoint."""
        self._call("DELETE", "/_petri/webhooks/faults", query={"endpoint_id": endpoint_id})

    def health(self) -> Health:
        """Get the health of Petri; degraded while something cannot be stored or a world could not be opened."""
        return cast("Health", self._call("GET", "/_petri/health"))

    def stop(self) -> Stopping:
        """Stop this Petri; a running advance ends after its current job."""
        return cast("Stopping", self._call("POST", "/_petri/stop"))

    def worlds_list(self) -> Worlds:
        """List the worlds."""
        return cast("Worlds", self._call("GET", "/_petri/worlds"))

    def worlds_make(self, body: Optional[NewWorld] = None) -> WorldView:
        """Create a world with its own key."""
        return cast("WorldView", self._call("POST", "/_petri/worlds", body))

    def worlds_drop(self, team_id: str) -> None:
        """Delete a world and all its data."""
        self._call("DELETE", f"/_petri/worlds/{quote(team_id, safe='')}")

    def world_get(self) -> WorldView:
        """Describe this world."""
        return cast("WorldView", self._call("GET", "/_petri/world"))

    def world_patch(self, body: WorldPatch) -> WorldView:
        """Set the default scenario and features, or those of a team of the live service."""
        return cast("WorldView", self._call("PATCH", "/_petri/world", body))

    def reset(self, body: Optional[Reset] = None) -> ResetWorld:
        """Reset this world to its initial state, or to that of another seed; a live one gets new ids."""
        return cast("ResetWorld", self._call("POST", "/_petri/reset", body))

    def clock_get(self) -> Clock:
        """Show the clock of this world, and when the next job is due."""
        return cast("Clock", self._call("GET", "/_petri/clock"))

    def clock_patch(self, body: ClockPatch) -> Clock:
        """Freeze or unfreeze the clock, set its pace, or set a later time."""
        return cast("Clock", self._call("PATCH", "/_petri/clock", body))

    def clock_rebase(self) -> Clock:
        """Let a live clock continue after the machine's clock was set back."""
        return cast("Clock", self._call("POST", "/_petri/clock/rebase"))

    def clock_advance(self, body: Advance) -> Advanced:
        """Advance the clock, run everything that becomes due, and list the effects."""
        return cast("Advanced", self._call("POST", "/_petri/clock/advance", body))

    def clock_advance_stop(self) -> StoppedAdvance:
        """Stop a running advance; the call that started it returns the effects so far."""
        return cast("StoppedAdvance", self._call("DELETE", "/_petri/clock/advance"))

    def agenda(self, *, subject: Optional[str] = None, limit: Optional[int] = None) -> Agenda:
        """List the pending jobs of this world, the earliest first."""
        return cast("Agenda", self._call("GET", "/_petri/agenda", query={"subject": subject, "limit": limit}))

    def ids(self, *, kind: Optional[Literal["order", "user", "appointment", "job", "message", "endpoint", "request", "fault"]] = None, prefix: Optional[str] = None) -> Ids:
        """List the ids of this world that start with a text."""
        return cast("Ids", self._call("GET", "/_petri/ids", query={"kind": kind, "prefix": prefix}))

    def lifecycle(self) -> Lifecycle:
        """List the statuses of an order by workflow, with the next statuses of each and the happy paths."""
        return cast("Lifecycle", self._call("GET", "/_petri/lifecycle"))

    def faults_get(self) -> Faults:
        """List the injected faults and their hits."""
        return cast("Faults", self._call("GET", "/_petri/faults"))

    def faults_put(self, body: FaultsInput) -> Faults:
        """Replace the injected faults: errors, delays and cut connections."""
        return cast("Faults", self._call("PUT", "/_petri/faults", body))

    def faults_post(self, body: FaultsInput) -> Faults:
        """Inject further faults: errors, delays and cut connections."""
        return cast("Faults", self._call("POST", "/_petri/faults", body))

    def faults_delete(self) -> None:
        """Remove all injected faults."""
        self._call("DELETE", "/_petri/faults")

    def faults_delete_one(self, fault_id: str) -> None:
        """Remove one fault; all others stay."""
        self._call("DELETE", f"/_petri/faults/{quote(fault_id, safe='')}")

    def requests_refused(self) -> RefusedCallList:
        """List the last calls of this Petri without a valid API key (401), newest last."""
        return cast("RefusedCallList", self._call("GET", "/_petri/requests/refused"))

    def requests_list(self, *, operation: Optional[str] = None, status: Optional[str] = None, method: Optional[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]] = None, path: Optional[str] = None, since: Optional[str] = None, order_id: Optional[str] = None, user_id: Optional[str] = None, q: Optional[str] = None, ignored: Optional[bool] = None, order: Optional[Literal["asc", "desc"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> RequestList:
        """List the last calls of this world's clients, newest last, without calls of the control API."""
        return cast("RequestList", self._call("GET", "/_petri/requests", query={"operation": operation, "status": status, "method": method, "path": path, "since": since, "order_id": order_id, "user_id": user_id, "q": q, "ignored": ignored, "order": order, "limit": limit, "cursor": cursor}))

    def requests_delete(self) -> None:
        """Delete all recorded calls."""
        self._call("DELETE", "/_petri/requests")

    def requests_get(self, request_id: str) -> Request:
        """Show one call by its x-request-id: request, response, ignored fields, and what it caused."""
        return cast("Request", self._call("GET", f"/_petri/requests/{quote(request_id, safe='')}"))

    def wait(self, body: Wait) -> Found:
        """Wait until an order has reached a status, a message was delivered or a call was received; answers immediately if that is already true."""
        return cast("Found", self._call("POST", "/_petri/wait", body))

    def snapshots_list(self) -> Snapshots:
        """List the snapshots of this world; a reset keeps them."""
        return cast("Snapshots", self._call("GET", "/_petri/snapshots"))

    def snapshots_put(self, name: str) -> Snapshot:
        """Save the state of this world under a name; replaces a snapshot of the same name."""
        return cast("Snapshot", self._call("PUT", f"/_petri/snapshots/{quote(name, safe='')}"))

    def snapshots_delete(self, name: str) -> None:
        """Delete a snapshot."""
        self._call("DELETE", f"/_petri/snapshots/{quote(name, safe='')}")

    def snapshots_restore(self, name: str) -> WorldView:
        """Restore a snapshot, including the clock and the sequence of ids."""
        return cast("WorldView", self._call("POST", f"/_petri/snapshots/{quote(name, safe='')}/restore"))

    def state_get(self) -> State:
        """Export this world as one document without secrets."""
        return cast("State", self._call("GET", "/_petri/state"))

    def state_put(self, body: StateInput) -> WorldView:
        """Replace this world with an exported one; team, keys and secrets stay."""
        return cast("WorldView", self._call("PUT", "/_petri/state", body))

    def trigger(self, body: Trigger) -> Triggered:
        """Send any event of the catalogue about an object of this world, without changing the object."""
        return cast("Triggered", self._call("POST", "/_petri/trigger", body))

    def coverage(self) -> Coverage:
        """Show which operations, statuses, events and errors this world's clients have met since Petri started, and which not."""
        return cast("Coverage", self._call("GET", "/_petri/coverage"))

    def etl_target_get(self) -> EtlTarget:
        """Show the target of the ETL pipeline of this team, and the number of waiting events."""
        return cast("EtlTarget", self._call("GET", "/_petri/etl/target"))

    def etl_target_put(self, body: EtlTargetInput) -> EtlTarget:
        """Deliver the ETL pipeline of this team to a URL, as newline-delimited JSON."""
        return cast("EtlTarget", self._call("PUT", "/_petri/etl/target", body))

    def etl_target_delete(self) -> None:
        """Stop delivering the ETL pipeline of this team, and drop the waiting events."""
        self._call("DELETE", "/_petri/etl/target")

    def scenarios_list(self, *, kind: Optional[Literal["order", "feed", "persona"]] = None, statuses: Optional[bool] = None) -> ScenarioList:
        """List the scenarios of orders with their magic ZIP codes, the feed scenarios and the personas."""
        return cast("ScenarioList", self._call("GET", "/_petri/scenarios", query={"kind": kind, "statuses": statuses}))

    def scenarios_get(self, name: str) -> ScenarioView:
        """Show one scenario of any kind: what happens in it, and its source."""
        return cast("ScenarioView", self._call("GET", f"/_petri/scenarios/{quote(name, safe='')}"))

    def scenarios_put(self, name: str, body: Any, *, all_worlds: Optional[bool] = None) -> ScenarioView:
        """Add a scenario to this world, as YAML or JSON; it replaces a bundled one of the same name. With all_worlds, which needs the control token in place of the key, it is added to all worlds, including new ones; a persona only so."""
        return cast("ScenarioView", self._call("PUT", f"/_petri/scenarios/{quote(name, safe='')}", body, query={"all_worlds": all_worlds}))

    def scenarios_delete(self, name: str) -> None:
        """Remove an uploaded scenario; a bundled one of the same name is restored, and connections that follow it continue."""
        self._call("DELETE", f"/_petri/scenarios/{quote(name, safe='')}")

    def scenarios_check(self, body: Any) -> ScenarioCheck:
        """Validate a scenario without storing it: what happens in it, or its errors by line."""
        return cast("ScenarioCheck", self._call("POST", "/_petri/scenarios/check", body))

    def orders_scenario_get(self, order_id: str) -> OrderScenario:
        """Show the progress of an order in its scenario."""
        return cast("OrderScenario", self._call("GET", f"/_petri/orders/{quote(order_id, safe='')}/scenario"))

    def orders_scenario_put(self, order_id: str, body: OrderScenarioInput) -> OrderScenario:
        """Assign another scenario to an order, from its current status or from a status of the scenario."""
        return cast("OrderScenario", self._call("PUT", f"/_petri/orders/{quote(order_id, safe='')}/scenario", body))

    def orders_record(self, order_id: str) -> OrderHistory:
        """Show an order and its appointments with the times of their events in scenario time."""
        return cast("OrderHistory", self._call("GET", f"/_petri/orders/{quote(order_id, safe='')}/record"))

    def users_scenario_put(self, user_id: str, body: UserScenarioInput) -> UserScenario:
        """Set the scenario of a user's orders; null for the world's."""
        return cast("UserScenario", self._call("PUT", f"/_petri/users/{quote(user_id, safe='')}/scenario", body))

    def world_feed_get(self) -> UsualFeed:
        """Show the default feed scenario of this world's new connections."""
        return cast("UsualFeed", self._call("GET", "/_petri/world/feed"))

    def world_feed_put(self, body: FeedInput) -> UsualFeed:
        """Set the default feed scenario of this world's new connections."""
        return cast("UsualFeed", self._call("PUT", "/_petri/world/feed", body))

    def users_feed_get(self, user_id: str) -> UserFeed:
        """Show the feed scenario of a user's new connections; null for the world's."""
        return cast("UserFeed", self._call("GET", f"/_petri/users/{quote(user_id, safe='')}/feed"))

    def users_feed_put(self, user_id: str, body: FeedInput) -> UserFeed:
        """Set the feed scenario of a user's new connections; null for the world's."""
        return cast("UserFeed", self._call("PUT", f"/_petri/users/{quote(user_id, safe='')}/feed", body))

    def connections_feed_get(self, user_id: str, provider: str) -> ConnectionFeedView:
        """Show the feed scenario of a connection and its next step."""
        return cast("ConnectionFeedView", self._call("GET", f"/_petri/users/{quote(user_id, safe='')}/connections/{quote(provider, safe='')}/feed"))

    def connections_feed_put(self, user_id: str, provider: str, body: ConnectionFeedInput) -> ConnectionFeedView:
        """Assign another feed scenario to a connection; the rest of the previous one is dropped."""
        return cast("ConnectionFeedView", self._call("PUT", f"/_petri/users/{quote(user_id, safe='')}/connections/{quote(provider, safe='')}/feed", body))

    def users_persona_get(self, user_id: str) -> UserPersona:
        """Show the persona of a user."""
        return cast("UserPersona", self._call("GET", f"/_petri/users/{quote(user_id, safe='')}/persona"))

    def users_persona_put(self, user_id: str, body: UserPersonaInput) -> UserPersona:
        """Give a user a persona from today on; null for the person that follows from the seed."""
        return cast("UserPersona", self._call("PUT", f"/_petri/users/{quote(user_id, safe='')}/persona", body))

    def users_truth(self, user_id: str, *, from_: Optional[str] = None, until: Optional[str] = None) -> UserTruth:
        """Show the truth about a user: traits, conditions, treatments and episodes, as labels for a model."""
        return cast("UserTruth", self._call("GET", f"/_petri/users/{quote(user_id, safe='')}/truth", query={"from": from_, "until": until}))

    def orders_move(self, order_id: str, body: Move) -> Order:
        """Set the status of an order manually; it leaves its scenario. A move the lifecycle does not allow needs force."""
        return cast("Order", self._call("POST", f"/_petri/orders/{quote(order_id, safe='')}/move", body))

    def orders_list(self, *, status: Optional[str] = None, method: Optional[Literal["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"]] = None, interpretation: Optional[str] = None, search: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Board:
        """List the orders in short, newest first, with what comes next; counts by status; what needs attention."""
        return cast("Board", self._call("GET", "/_petri/orders", query={"status": status, "method": method, "interpretation": interpretation, "search": search, "limit": limit, "cursor": cursor}))

    def orders_place(self, body: Optional[OrderPlacing] = None) -> PlacedOrder:
        """Place an order that follows a scenario; user, patient, address and lab test are generated if omitted."""
        return cast("PlacedOrder", self._call("POST", "/_petri/orders", body))

    def orders_get(self, order_id: str) -> OrderLife:
        """Explain an order: its workflow, the legal moves, the next steps of its scenario, and what it caused."""
        return cast("OrderLife", self._call("GET", f"/_petri/orders/{quote(order_id, safe='')}"))

    def orders_register(self, order_id: str) -> Order:
        """Register the kit of an order, as its recipient would."""
        return cast("Order", self._call("POST", f"/_petri/orders/{quote(order_id, safe='')}/register"))

    def orders_book(self, order_id: str) -> Appointment:
        """Book the first free appointment near an order's patient, as the patient would."""
        return cast("Appointment", self._call("POST", f"/_petri/orders/{quote(order_id, safe='')}/book"))

    def orders_results_put(self, order_id: str, body: ExactResults) -> ResultsPut:
        """Set exact results: they come with the next report, or at once as a correction of a completed order."""
        return cast("ResultsPut", self._call("PUT", f"/_petri/orders/{quote(order_id, safe='')}/results", body))

    def checkout_sessions(self, *, user_id: Optional[str] = None, order_id: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> CheckoutSessions:
        """List checkout sessions with their users and quotes, newest last."""
        return cast("CheckoutSessions", self._call("GET", "/_petri/checkout/sessions", query={"user_id": user_id, "order_id": order_id, "limit": limit, "cursor": cursor}))

    def checkout_pay(self, checkout_session_id: str, body: Optional[Payment] = None) -> CheckoutSession:
        """Pay for a checkout session, which places its order; or have the payment declined or given up."""
        return cast("CheckoutSession", self._call("POST", f"/_petri/checkout/sessions/{quote(checkout_session_id, safe='')}/pay", body))

    def users_create(self, body: Optional[UserCreation] = None) -> User:
        """Create a user, with an id of your choice; omitted fields get generated values."""
        return cast("User", self._call("POST", "/_petri/users", body))

    def users_list(self, *, search: Optional[str] = None, ids: Optional[str] = None, limit: Optional[int] = None, offset: Optional[int] = None) -> UserSummaries:
        """List users with their names, newest first."""
        return cast("UserSummaries", self._call("GET", "/_petri/users", query={"search": search, "ids": ids, "limit": limit, "offset": offset}))

    def users_fhir(self, user_id: str) -> FhirUser:
        """Export a user as a FHIR R4 bundle: patient, conditions, treatments and reports."""
        return cast("FhirUser", self._call("GET", f"/_petri/users/{quote(user_id, safe='')}/fhir"))

    def lab_tests_create(self, body: LabTestCreation) -> LabTest:
        """Create a lab test from markers, with an id of your choice."""
        return cast("LabTest", self._call("POST", "/_petri/lab_tests", body))

    def user_data_put(self, user_id: str, body: UserData) -> UserDataKept:
        """Add samples or a summary of a user, with their events; data with the same key is replaced."""
        return cast("UserDataKept", self._call("POST", f"/_petri/users/{quote(user_id, safe='')}/data", body))

    def user_mobile(self, user_id: str) -> MobileState:
        """Show a user's mobile apps: sign-ins, and the uploads that their SDKs have reported."""
        return cast("MobileState", self._call("GET", f"/_petri/users/{quote(user_id, safe='')}/mobile"))

    def user_mobile_sessions_revoke(self, user_id: str) -> MobileSessionsRevoked:
        """Revoke the refresh tokens of a user's mobile apps, which must then sign in again."""
        return cast("MobileSessionsRevoked", self._call("DELETE", f"/_petri/users/{quote(user_id, safe='')}/mobile_sessions"))
