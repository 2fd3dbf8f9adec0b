// Written by "npm run generate"; do not edit.
package petri.sandbox;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The operations of Petri's control API as they are, and their types. */
public final class Control {
    private Control() {}

    /** All operations of the control API. */
    public static final class Operations {
        private final Caller caller;

        Operations(Caller caller) {
            this.caller = caller;
        }

        /** Accept an invitation to the organisation as its recipient. */
        public OrganisationMember inviteAccept(String inviteId, OrganisationInviteAccepted body) {
            return caller.call("POST", "/_petri/organisation/invites/" + Caller.escaped(inviteId) + "/accept", body, OrganisationMember.class);
        }

        /** Publish the DNS record of a domain of the organisation, so that it can be verified. */
        public OrganisationDomain domainPublish(String domainId) {
            return caller.call("POST", "/_petri/organisation/domains/" + Caller.escaped(domainId) + "/publish", null, OrganisationDomain.class);
        }

        /** List the webhook endpoints of this world. */
        public WebhookEndpointList webhookEndpointsList() {
            return caller.call("GET", "/_petri/webhooks/endpoints", null, WebhookEndpointList.class);
        }

        /** Add a webhook endpoint; it signs with the secret of the world unless one is given. */
        public AddedWebhookEndpoint webhookEndpointsCreate(NewWebhookEndpoint body) {
            return caller.call("POST", "/_petri/webhooks/endpoints", body, AddedWebhookEndpoint.class);
        }

        /** Change an endpoint; null for all event types; enabling it resets its failures. */
        public WebhookEndpoint webhookEndpointsPatch(String endpointId, WebhookEndpointPatch body) {
            return caller.call("PATCH", "/_petri/webhooks/endpoints/" + Caller.escaped(endpointId), body, WebhookEndpoint.class);
        }

        /** Remove an endpoint; its pending messages are given up. */
        public void webhookEndpointsDelete(String endpointId) {
            caller.call("DELETE", "/_petri/webhooks/endpoints/" + Caller.escaped(endpointId), null, Object.class);
        }

        /** Give an endpoint a new secret; the old one also signs for one day. */
        public RotatedWebhookEndpoint webhookEndpointsRotateSecret(String endpointId, RotateWebhookSecret body) {
            return caller.call("POST", "/_petri/webhooks/endpoints/" + Caller.escaped(endpointId) + "/rotate-secret", body, RotatedWebhookEndpoint.class);
        }

        /** Check whether Petri can connect to the receiver; nothing is sent. */
        public WebhookReachability webhookEndpointsReach(String endpointId) {
            return caller.call("POST", "/_petri/webhooks/endpoints/" + Caller.escaped(endpointId) + "/reach", null, WebhookReachability.class);
        }

        /** Show one event with its body, even if no endpoint is subscribed to it. */
        public WebhookEvent eventGet(String eventId) {
            return caller.call("GET", "/_petri/events/" + Caller.escaped(eventId), null, WebhookEvent.class);
        }

        /** List messages with their attempts, newest last unless order says desc. */
        public WebhookMessageList webhookMessagesList(WebhookMessagesListQuery query) {
            return caller.call("GET", "/_petri/webhooks/messages" + caller.queryText(query), null, WebhookMessageList.class);
        }

        /** Show one message with its payload and attempts. */
        public WebhookMessage webhookMessagesGet(String messageId) {
            return caller.call("GET", "/_petri/webhooks/messages/" + Caller.escaped(messageId), null, WebhookMessage.class);
        }

        /** Send messages again now: all that were given up or wait for their next attempt, or one by its id, also if it was delivered. */
        public WebhookResent webhookResend(WebhookResend body) {
            return caller.call("POST", "/_petri/webhooks/resend", body, WebhookResent.class);
        }

        /** Show the webhook faults of the world or of one endpoint. */
        public WebhookFaults webhookFaultsGet(WebhookFaultsGetQuery query) {
            return caller.call("GET", "/_petri/webhooks/faults" + caller.queryText(query), null, WebhookFaults.class);
        }

        /** Replace the webhook faults; omitted rules are off. */
        public WebhookFaults webhookFaultsPut(WebhookFaultsInput body) {
            return caller.call("PUT", "/_petri/webhooks/faults", body, WebhookFaults.class);
        }

        /** Remove the webhook faults of the world or of one endpoint. */
        public void webhookFaultsDelete(WebhookFaultsDeleteQuery query) {
            caller.call("DELETE", "/_petri/webhooks/faults" + caller.queryText(query), null, Object.class);
        }

        /** Get the health of Petri; degraded while something cannot be stored or a world could not be opened. */
        public Health health() {
            return caller.call("GET", "/_petri/health", null, Health.class);
        }

        /** Stop this Petri; a running advance ends after its current job. */
        public Stopping stop() {
            return caller.call("POST", "/_petri/stop", null, Stopping.class);
        }

        /** List the worlds. */
        public Worlds worldsList() {
            return caller.call("GET", "/_petri/worlds", null, Worlds.class);
        }

        /** Create a world with its own key. */
        public WorldView worldsMake(NewWorld body) {
            return caller.call("POST", "/_petri/worlds", body, WorldView.class);
        }

        /** Delete a world and all its data. */
        public void worldsDrop(String teamId) {
            caller.call("DELETE", "/_petri/worlds/" + Caller.escaped(teamId), null, Object.class);
        }

        /** Describe this world. */
        public WorldView worldGet() {
            return caller.call("GET", "/_petri/world", null, WorldView.class);
        }

        /** Set the default scenario and features, or those of a team of the live service. */
        public WorldView worldPatch(WorldPatch body) {
            return caller.call("PATCH", "/_petri/world", body, WorldView.class);
        }

        /** Reset this world to its initial state, or to that of another seed; a live one gets new ids. */
        public ResetWorld reset(Reset body) {
            return caller.call("POST", "/_petri/reset", body, ResetWorld.class);
        }

        /** Show the clock of this world, and when the next job is due. */
        public Clock clockGet() {
            return caller.call("GET", "/_petri/clock", null, Clock.class);
        }

        /** Freeze or unfreeze the clock, set its pace, or set a later time. */
        public Clock clockPatch(ClockPatch body) {
            return caller.call("PATCH", "/_petri/clock", body, Clock.class);
        }

        /** Let a live clock continue after the machine's clock was set back. */
        public Clock clockRebase() {
            return caller.call("POST", "/_petri/clock/rebase", null, Clock.class);
        }

        /** Advance the clock, run everything that becomes due, and list the effects. */
        public Advanced clockAdvance(Advance body) {
            return caller.call("POST", "/_petri/clock/advance", body, Advanced.class);
        }

        /** Stop a running advance; the call that started it returns the effects so far. */
        public StoppedAdvance clockAdvanceStop() {
            return caller.call("DELETE", "/_petri/clock/advance", null, StoppedAdvance.class);
        }

        /** List the pending jobs of this world, the earliest first. */
        public Agenda agenda(AgendaQuery query) {
            return caller.call("GET", "/_petri/agenda" + caller.queryText(query), null, Agenda.class);
        }

        /** List the ids of this world that start with a text. */
        public Ids ids(IdsQuery query) {
            return caller.call("GET", "/_petri/ids" + caller.queryText(query), null, Ids.class);
        }

        /** List the statuses of an order by workflow, with the next statuses of each and the happy paths. */
        public Lifecycle lifecycle() {
            return caller.call("GET", "/_petri/lifecycle", null, Lifecycle.class);
        }

        /** List the injected faults and their hits. */
        public Faults faultsGet() {
            return caller.call("GET", "/_petri/faults", null, Faults.class);
        }

        /** Replace the injected faults: errors, delays and cut connections. */
        public Faults faultsPut(FaultsInput body) {
            return caller.call("PUT", "/_petri/faults", body, Faults.class);
        }

        /** Inject further faults: errors, delays and cut connections. */
        public Faults faultsPost(FaultsInput body) {
            return caller.call("POST", "/_petri/faults", body, Faults.class);
        }

        /** Remove all injected faults. */
        public void faultsDelete() {
            caller.call("DELETE", "/_petri/faults", null, Object.class);
        }

        /** Remove one fault; all others stay. */
        public void faultsDeleteOne(String faultId) {
            caller.call("DELETE", "/_petri/faults/" + Caller.escaped(faultId), null, Object.class);
        }

        /** List the last calls of this Petri without a valid API key (401), newest last. */
        public RefusedCallList requestsRefused() {
            return caller.call("GET", "/_petri/requests/refused", null, RefusedCallList.class);
        }

        /** List the last calls of this world's clients, newest last, without calls of the control API. */
        public RequestList requestsList(RequestsListQuery query) {
            return caller.call("GET", "/_petri/requests" + caller.queryText(query), null, RequestList.class);
        }

        /** Delete all recorded calls. */
        public void requestsDelete() {
            caller.call("DELETE", "/_petri/requests", null, Object.class);
        }

        /** Show one call by its x-request-id: request, response, ignored fields, and what it caused. */
        public Request requestsGet(String requestId) {
            return caller.call("GET", "/_petri/requests/" + Caller.escaped(requestId), null, Request.class);
        }

        /** Wait until an order has reached a status, a message was delivered or a call was received; answers immediately if that is already true. */
        public Found wait(Wait body) {
            return caller.call("POST", "/_petri/wait", body, Found.class);
        }

        /** List the snapshots of this world; a reset keeps them. */
        public Snapshots snapshotsList() {
            return caller.call("GET", "/_petri/snapshots", null, Snapshots.class);
        }

        /** Save the state of this world under a name; replaces a snapshot of the same name. */
        public Snapshot snapshotsPut(String name) {
            return caller.call("PUT", "/_petri/snapshots/" + Caller.escaped(name), null, Snapshot.class);
        }

        /** Delete a snapshot. */
        public void snapshotsDelete(String name) {
            caller.call("DELETE", "/_petri/snapshots/" + Caller.escaped(name), null, Object.class);
        }

        /** Restore a snapshot, including the clock and the sequence of ids. */
        public WorldView snapshotsRestore(String name) {
            return caller.call("POST", "/_petri/snapshots/" + Caller.escaped(name) + "/restore", null, WorldView.class);
        }

        /** Export this world as one document without secrets. */
        public State stateGet() {
            return caller.call("GET", "/_petri/state", null, State.class);
        }

        /** Replace this world with an exported one; team, keys and secrets stay. */
        public WorldView statePut(StateInput body) {
            return caller.call("PUT", "/_petri/state", body, WorldView.class);
        }

        /** Send any event of the catalogue about an object of this world, without changing the object. */
        public Triggered trigger(Trigger body) {
            return caller.call("POST", "/_petri/trigger", body, Triggered.class);
        }

        /** Show which operations, statuses, events and errors this world's clients have met since Petri started, and which not. */
        public Coverage coverage() {
            return caller.call("GET", "/_petri/coverage", null, Coverage.class);
        }

        /** Show the target of the ETL pipeline of this team, and the number of waiting events. */
        public EtlTarget etlTargetGet() {
            return caller.call("GET", "/_petri/etl/target", null, EtlTarget.class);
        }

        /** Deliver the ETL pipeline of this team to a URL, as newline-delimited JSON. */
        public EtlTarget etlTargetPut(EtlTargetInput body) {
            return caller.call("PUT", "/_petri/etl/target", body, EtlTarget.class);
        }

        /** Stop delivering the ETL pipeline of this team, and drop the waiting events. */
        public void etlTargetDelete() {
            caller.call("DELETE", "/_petri/etl/target", null, Object.class);
        }

        /** List the scenarios of orders with their magic ZIP codes, the feed scenarios and the personas. */
        public ScenarioList scenariosList(ScenariosListQuery query) {
            return caller.call("GET", "/_petri/scenarios" + caller.queryText(query), null, ScenarioList.class);
        }

        /** Show one scenario of any kind: what happens in it, and its source. */
        public ScenarioView scenariosGet(String name) {
            return caller.call("GET", "/_petri/scenarios/" + Caller.escaped(name), null, ScenarioView.class);
        }

        /** Add a scenario to this world, as YAML or JSON; it replaces a bundled one of the same name. With all_worlds, which needs the control token in place of the key, it is added to all worlds, including new ones; a persona only so. */
        public ScenarioView scenariosPut(String name, Object body, ScenariosPutQuery query) {
            return caller.call("PUT", "/_petri/scenarios/" + Caller.escaped(name) + caller.queryText(query), body, ScenarioView.class);
        }

        /** Remove an uploaded scenario; a bundled one of the same name is restored, and connections that follow it continue. */
        public void scenariosDelete(String name) {
            caller.call("DELETE", "/_petri/scenarios/" + Caller.escaped(name), null, Object.class);
        }

        /** Validate a scenario without storing it: what happens in it, or its errors by line. */
        public ScenarioCheck scenariosCheck(Object body) {
            return caller.call("POST", "/_petri/scenarios/check", body, ScenarioCheck.class);
        }

        /** Show the progress of an order in its scenario. */
        public OrderScenario ordersScenarioGet(String orderId) {
            return caller.call("GET", "/_petri/orders/" + Caller.escaped(orderId) + "/scenario", null, OrderScenario.class);
        }

        /** Assign another scenario to an order, from its current status or from a status of the scenario. */
        public OrderScenario ordersScenarioPut(String orderId, OrderScenarioInput body) {
            return caller.call("PUT", "/_petri/orders/" + Caller.escaped(orderId) + "/scenario", body, OrderScenario.class);
        }

        /** Show an order and its appointments with the times of their events in scenario time. */
        public OrderHistory ordersRecord(String orderId) {
            return caller.call("GET", "/_petri/orders/" + Caller.escaped(orderId) + "/record", null, OrderHistory.class);
        }

        /** Set the scenario of a user's orders; null for the world's. */
        public UserScenario usersScenarioPut(String userId, UserScenarioInput body) {
            return caller.call("PUT", "/_petri/users/" + Caller.escaped(userId) + "/scenario", body, UserScenario.class);
        }

        /** Show the default feed scenario of this world's new connections. */
        public UsualFeed worldFeedGet() {
            return caller.call("GET", "/_petri/world/feed", null, UsualFeed.class);
        }

        /** Set the default feed scenario of this world's new connections. */
        public UsualFeed worldFeedPut(FeedInput body) {
            return caller.call("PUT", "/_petri/world/feed", body, UsualFeed.class);
        }

        /** Show the feed scenario of a user's new connections; null for the world's. */
        public UserFeed usersFeedGet(String userId) {
            return caller.call("GET", "/_petri/users/" + Caller.escaped(userId) + "/feed", null, UserFeed.class);
        }

        /** Set the feed scenario of a user's new connections; null for the world's. */
        public UserFeed usersFeedPut(String userId, FeedInput body) {
            return caller.call("PUT", "/_petri/users/" + Caller.escaped(userId) + "/feed", body, UserFeed.class);
        }

        /** Show the feed scenario of a connection and its next step. */
        public ConnectionFeedView connectionsFeedGet(String userId, String provider) {
            return caller.call("GET", "/_petri/users/" + Caller.escaped(userId) + "/connections/" + Caller.escaped(provider) + "/feed", null, ConnectionFeedView.class);
        }

        /** Assign another feed scenario to a connection; the rest of the previous one is dropped. */
        public ConnectionFeedView connectionsFeedPut(String userId, String provider, ConnectionFeedInput body) {
            return caller.call("PUT", "/_petri/users/" + Caller.escaped(userId) + "/connections/" + Caller.escaped(provider) + "/feed", body, ConnectionFeedView.class);
        }

        /** Show the persona of a user. */
        public UserPersona usersPersonaGet(String userId) {
            return caller.call("GET", "/_petri/users/" + Caller.escaped(userId) + "/persona", null, UserPersona.class);
        }

        /** Give a user a persona from today on; null for the person that follows from the seed. */
        public UserPersona usersPersonaPut(String userId, UserPersonaInput body) {
            return caller.call("PUT", "/_petri/users/" + Caller.escaped(userId) + "/persona", body, UserPersona.class);
        }

        /** Show the truth about a user: traits, conditions, treatments and episodes, as labels for a model. */
        public UserTruth usersTruth(String userId, UsersTruthQuery query) {
            return caller.call("GET", "/_petri/users/" + Caller.escaped(userId) + "/truth" + caller.queryText(query), null, UserTruth.class);
        }

        /** Set the status of an order manually; it leaves its scenario. A move the lifecycle does not allow needs force. */
        public Order ordersMove(String orderId, Move body) {
            return caller.call("POST", "/_petri/orders/" + Caller.escaped(orderId) + "/move", body, Order.class);
        }

        /** List the orders in short, newest first, with what comes next; counts by status; what needs attention. */
        public Board ordersList(OrdersListQuery query) {
            return caller.call("GET", "/_petri/orders" + caller.queryText(query), null, Board.class);
        }

        /** Place an order that follows a scenario; user, patient, address and lab test are generated if omitted. */
        public PlacedOrder ordersPlace(OrderPlacing body) {
            return caller.call("POST", "/_petri/orders", body, PlacedOrder.class);
        }

        /** Explain an order: its workflow, the legal moves, the next steps of its scenario, and what it caused. */
        public OrderLife ordersGet(String orderId) {
            return caller.call("GET", "/_petri/orders/" + Caller.escaped(orderId), null, OrderLife.class);
        }

        /** Register the kit of an order, as its recipient would. */
        public Order ordersRegister(String orderId) {
            return caller.call("POST", "/_petri/orders/" + Caller.escaped(orderId) + "/register", null, Order.class);
        }

        /** Book the first free appointment near an order's patient, as the patient would. */
        public Appointment ordersBook(String orderId) {
            return caller.call("POST", "/_petri/orders/" + Caller.escaped(orderId) + "/book", null, Appointment.class);
        }

        /** Set exact results: they come with the next report, or at once as a correction of a completed order. */
        public ResultsPut ordersResultsPut(String orderId, ExactResults body) {
            return caller.call("PUT", "/_petri/orders/" + Caller.escaped(orderId) + "/results", body, ResultsPut.class);
        }

        /** List checkout sessions with their users and quotes, newest last. */
        public CheckoutSessions checkoutSessions(CheckoutSessionsQuery query) {
            return caller.call("GET", "/_petri/checkout/sessions" + caller.queryText(query), null, CheckoutSessions.class);
        }

        /** Pay for a checkout session, which places its order; or have the payment declined or given up. */
        public CheckoutSession checkoutPay(String checkoutSessionId, Payment body) {
            return caller.call("POST", "/_petri/checkout/sessions/" + Caller.escaped(checkoutSessionId) + "/pay", body, CheckoutSession.class);
        }

        /** Create a user, with an id of your choice; omitted fields get generated values. */
        public User usersCreate(UserCreation body) {
            return caller.call("POST", "/_petri/users", body, User.class);
        }

        /** List users with their names, newest first. */
        public UserSummaries usersList(UsersListQuery query) {
            return caller.call("GET", "/_petri/users" + caller.queryText(query), null, UserSummaries.class);
        }

        /** Export a user as a FHIR R4 bundle: patient, conditions, treatments and reports. */
        public FhirUser usersFhir(String userId) {
            return caller.call("GET", "/_petri/users/" + Caller.escaped(userId) + "/fhir", null, FhirUser.class);
        }

        /** Create a lab test from markers, with an id of your choice. */
        public LabTest labTestsCreate(LabTestCreation body) {
            return caller.call("POST", "/_petri/lab_tests", body, LabTest.class);
        }

        /** Add samples or a summary of a user, with their events; data with the same key is replaced. */
        public UserDataKept userDataPut(String userId, UserData body) {
            return caller.call("POST", "/_petri/users/" + Caller.escaped(userId) + "/data", body, UserDataKept.class);
        }

        /** Show a user's mobile apps: sign-ins, and the uploads that their SDKs have reported. */
        public MobileState userMobile(String userId) {
            return caller.call("GET", "/_petri/users/" + Caller.escaped(userId) + "/mobile", null, MobileState.class);
        }

        /** Revoke the refresh tokens of a user's mobile apps, which must then sign in again. */
        public MobileSessionsRevoked userMobileSessionsRevoke(String userId) {
            return caller.call("DELETE", "/_petri/users/" + Caller.escaped(userId) + "/mobile_sessions", null, MobileSessionsRevoked.class);
        }
    }

    public static final class OrganisationInviteAccepted {
        @JsonProperty("name") private String name;

        public @Nullable String name() {
            return name;
        }

        public OrganisationInviteAccepted name(String name) {
            this.name = name;
            return this;
        }

        @Override
        public String toString() {
            return "OrganisationInviteAccepted " + Caller.JSON.valueToTree(this);
        }
    }

    public record OrganisationMember(
        @JsonProperty("id") String id,
        @JsonProperty("name") String name,
        @JsonProperty("email") String email,
        @JsonProperty("created_on") String createdOn,
        @JsonProperty("role") String role,
        @JsonProperty("team_role_bindings") @Nullable List<ManagedTeamBinding> teamRoleBindings) {}

    public record ManagedTeamBinding(
        @JsonProperty("team_id") String teamId) {}

    public record OrganisationDomain(
        @JsonProperty("domain") String domain,
        @JsonProperty("is_verified") boolean isVerified,
        @JsonProperty("created_on") String createdOn,
        @JsonProperty("dns_records") @Nullable List<Map<String, String>> dnsRecords,
        @JsonProperty("id") String id) {}

    public record WebhookEndpointList(
        @JsonProperty("data") List<WebhookEndpoint> data,
        @JsonProperty("next_cursor") @Nullable String nextCursor) {}

    public record WebhookEndpoint(
        @JsonProperty("id") String id,
        @JsonProperty("url") String url,
        @JsonProperty("secret") String secret,
        @JsonProperty("description") @Nullable String description,
        @JsonProperty("event_types") @Nullable List<String> eventTypes,
        @JsonProperty("headers") Map<String, String> headers,
        @JsonProperty("disabled") boolean disabled,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("updated_at") String updatedAt,
        @JsonProperty("disabled_reason") @Nullable String disabledReason,
        @JsonProperty("failing_since") @Nullable String failingSince) {}

    public static final class NewWebhookEndpoint {
        @JsonProperty("url") private String url;
        @JsonProperty("secret") private String secret;
        @JsonProperty("description") private String description;
        @JsonProperty("event_types") private List<String> eventTypes;
        @JsonProperty("headers") private Map<String, String> headers;
        @JsonProperty("disabled") private Boolean disabled;
        @JsonProperty("resend") private Long resend;

        public @Nullable String url() {
            return url;
        }

        public NewWebhookEndpoint url(String url) {
            this.url = url;
            return this;
        }

        public @Nullable String secret() {
            return secret;
        }

        public NewWebhookEndpoint secret(String secret) {
            this.secret = secret;
            return this;
        }

        public @Nullable String description() {
            return description;
        }

        public NewWebhookEndpoint description(String description) {
            this.description = description;
            return this;
        }

        public @Nullable List<String> eventTypes() {
            return eventTypes;
        }

        public NewWebhookEndpoint eventTypes(List<String> eventTypes) {
            this.eventTypes = eventTypes;
            return this;
        }

        public @Nullable Map<String, String> headers() {
            return headers;
        }

        public NewWebhookEndpoint headers(Map<String, String> headers) {
            this.headers = headers;
            return this;
        }

        public @Nullable Boolean disabled() {
            return disabled;
        }

        public NewWebhookEndpoint disabled(boolean disabled) {
            this.disabled = disabled;
            return this;
        }

        public @Nullable Long resend() {
            return resend;
        }

        /** How many of the last events before it are sent to it; none by default. */
        public NewWebhookEndpoint resend(long resend) {
            this.resend = resend;
            return this;
        }

        @Override
        public String toString() {
            return "NewWebhookEndpoint " + Caller.JSON.valueToTree(this);
        }
    }

    /**
     * @param earlierEvents The kept events before it that it has not been sent; `resend` sends them.
     */
    public record AddedWebhookEndpoint(
        @JsonProperty("id") String id,
        @JsonProperty("url") String url,
        @JsonProperty("secret") String secret,
        @JsonProperty("description") @Nullable String description,
        @JsonProperty("event_types") @Nullable List<String> eventTypes,
        @JsonProperty("headers") Map<String, String> headers,
        @JsonProperty("disabled") boolean disabled,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("updated_at") String updatedAt,
        @JsonProperty("disabled_reason") @Nullable String disabledReason,
        @JsonProperty("failing_since") @Nullable String failingSince,
        @JsonProperty("earlier_events") long earlierEvents) {}

    public static final class WebhookEndpointPatch {
        @JsonProperty("url") private String url;
        @JsonProperty("secret") private String secret;
        @JsonProperty("description") private String description;
        @JsonProperty("event_types") private List<String> eventTypes;
        @JsonProperty("headers") private Map<String, String> headers;
        @JsonProperty("disabled") private Boolean disabled;

        public @Nullable String url() {
            return url;
        }

        public WebhookEndpointPatch url(String url) {
            this.url = url;
            return this;
        }

        public @Nullable String secret() {
            return secret;
        }

        public WebhookEndpointPatch secret(String secret) {
            this.secret = secret;
            return this;
        }

        public @Nullable String description() {
            return description;
        }

        public WebhookEndpointPatch description(String description) {
            this.description = description;
            return this;
        }

        public @Nullable List<String> eventTypes() {
            return eventTypes;
        }

        public WebhookEndpointPatch eventTypes(List<String> eventTypes) {
            this.eventTypes = eventTypes;
            return this;
        }

        public @Nullable Map<String, String> headers() {
            return headers;
        }

        public WebhookEndpointPatch headers(Map<String, String> headers) {
            this.headers = headers;
            return this;
        }

        public @Nullable Boolean disabled() {
            return disabled;
        }

        public WebhookEndpointPatch disabled(boolean disabled) {
            this.disabled = disabled;
            return this;
        }

        @Override
        public String toString() {
            return "WebhookEndpointPatch " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class RotateWebhookSecret {
        @JsonProperty("secret") private String secret;

        public @Nullable String secret() {
            return secret;
        }

        public RotateWebhookSecret secret(String secret) {
            this.secret = secret;
            return this;
        }

        @Override
        public String toString() {
            return "RotateWebhookSecret " + Caller.JSON.valueToTree(this);
        }
    }

    public record RotatedWebhookEndpoint(
        @JsonProperty("id") String id,
        @JsonProperty("url") String url,
        @JsonProperty("secret") String secret,
        @JsonProperty("description") @Nullable String description,
        @JsonProperty("event_types") @Nullable List<String> eventTypes,
        @JsonProperty("headers") Map<String, String> headers,
        @JsonProperty("disabled") boolean disabled,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("updated_at") String updatedAt,
        @JsonProperty("disabled_reason") @Nullable String disabledReason,
        @JsonProperty("failing_since") @Nullable String failingSince,
        @JsonProperty("previous_secrets") List<RotatedWebhookEndpointPreviousSecretsItem> previousSecrets) {}

    public record RotatedWebhookEndpointPreviousSecretsItem(
        @JsonProperty("secret") String secret,
        @JsonProperty("valid_until") String validUntil) {}

    public record WebhookReachability(
        @JsonProperty("reachable") boolean reachable,
        @JsonProperty("detail") @Nullable String detail,
        @JsonProperty("in_container") boolean inContainer) {}

    public record WebhookEvent(
        @JsonProperty("id") String id,
        @JsonProperty("event_type") String eventType,
        @JsonProperty("at") String at,
        @JsonProperty("user_id") @Nullable String userId,
        @JsonProperty("order_id") @Nullable String orderId,
        @JsonProperty("payload") Map<String, Object> payload) {}

    public record WebhookMessageList(
        @JsonProperty("data") List<WebhookMessage> data,
        @JsonProperty("next_cursor") @Nullable String nextCursor) {}

    /**
     * @param sequence Its place among the calls and messages of the world; 0 for one from before the last start.
     */
    public record WebhookMessage(
        @JsonProperty("id") String id,
        @JsonProperty("event_type") String eventType,
        @JsonProperty("user_id") @Nullable String userId,
        @JsonProperty("order_id") @Nullable String orderId,
        @JsonProperty("endpoint_id") String endpointId,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("status") String status,
        @JsonProperty("attempts") List<WebhookAttempt> attempts,
        @JsonProperty("marks") List<String> marks,
        @JsonProperty("svix_id") String svixId,
        @JsonProperty("subject_status") @Nullable String subjectStatus,
        @JsonProperty("sequence") long sequence,
        @JsonProperty("payload") @Nullable Map<String, Object> payload,
        @JsonProperty("attempt_count") long attemptCount,
        @JsonProperty("last_status") @Nullable Long lastStatus,
        @JsonProperty("last_error") @Nullable String lastError,
        @JsonProperty("last_advice") @Nullable String lastAdvice,
        @JsonProperty("request_id") @Nullable String requestId,
        @JsonProperty("caused_by") String causedBy,
        @JsonProperty("next_attempt_at") @Nullable String nextAttemptAt) {}

    public record WebhookAttempt(
        @JsonProperty("at") String at,
        @JsonProperty("status") @Nullable Long status,
        @JsonProperty("duration_ms") long durationMs,
        @JsonProperty("error") @Nullable String error,
        @JsonProperty("advice") @Nullable String advice,
        @JsonProperty("manual") @Nullable Boolean manual,
        @JsonProperty("marks") @Nullable List<String> marks,
        @JsonProperty("request") WebhookAttemptRequest request,
        @JsonProperty("response") @Nullable WebhookAttemptResponse response) {}

    public record WebhookAttemptRequest(
        @JsonProperty("headers") Map<String, String> headers) {}

    public record WebhookAttemptResponse(
        @JsonProperty("headers") Map<String, String> headers,
        @JsonProperty("body") String body) {}

    public static final class WebhookResend {
        @JsonProperty("message_id") private String messageId;
        @JsonProperty("endpoint_id") private String endpointId;
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("since") private String since;

        public @Nullable String messageId() {
            return messageId;
        }

        /** Only this message, also if it was delivered; given alone. */
        public WebhookResend messageId(String messageId) {
            this.messageId = messageId;
            return this;
        }

        public @Nullable String endpointId() {
            return endpointId;
        }

        /** Only messages to this endpoint. */
        public WebhookResend endpointId(String endpointId) {
            this.endpointId = endpointId;
            return this;
        }

        public @Nullable String orderId() {
            return orderId;
        }

        /** Only messages about this order. */
        public WebhookResend orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable String since() {
            return since;
        }

        /** Only messages created since then. */
        public WebhookResend since(String since) {
            this.since = since;
            return this;
        }

        /** Only messages created since then. */
        public WebhookResend since(Instant since) {
            return since(since.toString());
        }

        @Override
        public String toString() {
            return "WebhookResend " + Caller.JSON.valueToTree(this);
        }
    }

    public record WebhookResent(
        @JsonProperty("resent") long resent,
        @JsonProperty("reason") @Nullable String reason) {}

    public record WebhookFaults(
        @JsonProperty("duplicate") long duplicate,
        @JsonProperty("reorder") long reorder,
        @JsonProperty("delay") @Nullable String delay,
        @JsonProperty("drop_first") long dropFirst,
        @JsonProperty("bad_signature") boolean badSignature,
        @JsonProperty("stale_timestamp") boolean staleTimestamp,
        @JsonProperty("burst") long burst,
        @JsonProperty("respell") boolean respell,
        @JsonProperty("endpoint_id") @Nullable String endpointId,
        @JsonProperty("endpoints") List<WebhookFaultsEndpointsItem> endpoints) {}

    public record WebhookFaultsEndpointsItem(
        @JsonProperty("duplicate") long duplicate,
        @JsonProperty("reorder") long reorder,
        @JsonProperty("delay") @Nullable String delay,
        @JsonProperty("drop_first") long dropFirst,
        @JsonProperty("bad_signature") boolean badSignature,
        @JsonProperty("stale_timestamp") boolean staleTimestamp,
        @JsonProperty("burst") long burst,
        @JsonProperty("respell") boolean respell,
        @JsonProperty("endpoint_id") @Nullable String endpointId) {}

    public static final class WebhookFaultsInput {
        @JsonProperty("duplicate") private Long duplicate;
        @JsonProperty("reorder") private Object reorder;
        @JsonProperty("delay") private String delay;
        @JsonProperty("drop_first") private Long dropFirst;
        @JsonProperty("bad_signature") private Boolean badSignature;
        @JsonProperty("stale_timestamp") private Boolean staleTimestamp;
        @JsonProperty("burst") private Long burst;
        @JsonProperty("respell") private Boolean respell;
        @JsonProperty("endpoint_id") private String endpointId;

        public @Nullable Long duplicate() {
            return duplicate;
        }

        /** Delivers each message this many extra times, with the same svix-id. */
        public WebhookFaultsInput duplicate(long duplicate) {
            this.duplicate = duplicate;
            return this;
        }

        public @Nullable Object reorder() {
            return reorder;
        }

        /** Holds messages until there are this many, then sends them in reverse order. */
        public WebhookFaultsInput reorder(Object reorder) {
            this.reorder = reorder;
            return this;
        }

        public @Nullable String delay() {
            return delay;
        }

        /** Delays the first attempt by this much simulated time. */
        public WebhookFaultsInput delay(String delay) {
            this.delay = delay;
            return this;
        }

        /** Delays the first attempt by this much simulated time. */
        public WebhookFaultsInput delay(Duration delay) {
            return delay(delay.toMillis() + "ms");
        }

        public @Nullable Long dropFirst() {
            return dropFirst;
        }

        /** Loses this many first attempts of each message. */
        public WebhookFaultsInput dropFirst(long dropFirst) {
            this.dropFirst = dropFirst;
            return this;
        }

        public @Nullable Boolean badSignature() {
            return badSignature;
        }

        /** Signs another body, so your receiver must refuse the message. The live service never does this. */
        public WebhookFaultsInput badSignature(boolean badSignature) {
            this.badSignature = badSignature;
            return this;
        }

        public @Nullable Boolean staleTimestamp() {
            return staleTimestamp;
        }

        /** Signs a timestamp ten minutes old, so your receiver must refuse the message. The live service never does this. */
        public WebhookFaultsInput staleTimestamp(boolean staleTimestamp) {
            this.staleTimestamp = staleTimestamp;
            return this;
        }

        public @Nullable Long burst() {
            return burst;
        }

        /** Holds messages until there are this many, then sends them all at once. */
        public WebhookFaultsInput burst(long burst) {
            this.burst = burst;
            return this;
        }

        public @Nullable Boolean respell() {
            return respell;
        }

        /** Sends the same JSON with other spacing, escapes and key order, signed as it is sent. A receiver must verify the bytes it got. */
        public WebhookFaultsInput respell(boolean respell) {
            this.respell = respell;
            return this;
        }

        public @Nullable String endpointId() {
            return endpointId;
        }

        /** The endpoint the rules apply to; all by default. */
        public WebhookFaultsInput endpointId(String endpointId) {
            this.endpointId = endpointId;
            return this;
        }

        @Override
        public String toString() {
            return "WebhookFaultsInput " + Caller.JSON.valueToTree(this);
        }
    }

    /**
     * @param caller The caller's address as Petri sees it; null within its process. From a container, webhooks reach the caller there.
     */
    public record Health(
        @JsonProperty("status") String status,
        @JsonProperty("detail") @Nullable String detail,
        @JsonProperty("version") String version,
        @JsonProperty("contract_version") String contractVersion,
        @JsonProperty("caller") @Nullable String caller) {}

    public record Stopping(
        @JsonProperty("stopping") boolean stopping) {}

    public record Worlds(
        @JsonProperty("data") List<WorldView> data,
        @JsonProperty("next_cursor") @Nullable String nextCursor) {}

    /**
     * @param like The team of the live service whose scenario, pace and features it has where none were set.
     * @param longWork Running long operations.
     * @param failedJobs Jobs that failed because of a bug in Petri, and are not run again.
     */
    public record WorldView(
        @JsonProperty("team_id") String teamId,
        @JsonProperty("org_id") String orgId,
        @JsonProperty("name") String name,
        @JsonProperty("api_key") String apiKey,
        @JsonProperty("webhook_secret") String webhookSecret,
        @JsonProperty("seed") String seed,
        @JsonProperty("scenario") String scenario,
        @JsonProperty("like") @Nullable String like,
        @JsonProperty("clock") Clock clock,
        @JsonProperty("features") Features features,
        @JsonProperty("counts") Map<String, Long> counts,
        @JsonProperty("long_work") List<WorldViewLongWorkItem> longWork,
        @JsonProperty("failed_jobs") List<WorldViewFailedJobsItem> failedJobs) {}

    /**
     * @param advancing Whether an advance is running.
     * @param scenarioDay How long a day of a scenario takes now: 10s at the default pace, 1d in a frozen world.
     * @param standing Why a live clock stands still: the machine's clock was set back. Null while it does not.
     */
    public record Clock(
        @JsonProperty("now") String now,
        @JsonProperty("frozen") boolean frozen,
        @JsonProperty("pace") double pace,
        @JsonProperty("pending") long pending,
        @JsonProperty("next_due") @Nullable String nextDue,
        @JsonProperty("advancing") boolean advancing,
        @JsonProperty("scenario_day") String scenarioDay,
        @JsonProperty("standing") @Nullable String standing) {}

    /**
     * @param parity Which operations exist: `production` does not have those that only a sandbox has.
     * @param contractForm The form of responses and events if the specification and the live contract differ. `live` is what generated clients know: `received.testkit.registered`, the country of a kit as sent, and `started` for a report under review. If the live service fails on an invalid order, so does Petri.
     * @param simulation How a simulated order goes: to the requested status by legal steps, or as recorded from the live sandbox, including the plain 500 for a cancelled kit.
     * @param partialResultsWebhooks Sends an update for each batch of partial results.
     * @param redraws Offers a redraw for walk-in orders with missing results.
     * @param unmatchedResults Puts results that match no order into a queue for review.
     * @param abn Adds an advance beneficiary notice to orders that need one.
     * @param pscScheduling Allows appointments at patient service centers.
     * @param workingHours Couriers, laboratories and phlebotomists act during their hours, Monday to Saturday except US federal holidays.
     * @param pscTimeZones Appointment slots are in the time zone of the site.
     * @param arizonaScheduling Who keeps the calendar of sites of Quest in Arizona. The laboratory confirms later, and nothing can be cancelled or moved through the API.
     * @param bookingBeforeRequisition Allows bookings before the requisition exists; they are reserved until it does.
     * @param physicianRule What happens to an order without the physician that its lab account requires: refused, or accepted for now.
     * @param phoneNumbers How phone numbers in orders are checked: by their form, or also by whether such a number can exist.
     * @param minorOrdering Allows orders for patients under 18 with a medical proxy.
     * @param labTestApproval When a new lab test can be ordered: at once, or after a day of review.
     * @param orderLabAccount Shows `lab_account_id` in orders, as clients since 3.0 know it; recorded orders lack it.
     * @param approxdraw Gives the tubes that a lab test needs at home, at all laboratories except Labcorp.
     * @param approxdrawLabcorp Gives the tubes that a lab test of Labcorp needs at home.
     * @param reportParserLimits The largest accepted lab report: 10 MiB as specified, or 30 MiB as in the live service.
     * @param insuranceNeedsDemographics Refuses insurance until the user has demographics.
     * @param insuranceGuarantorRule Requires a guarantor if the patient is not the insured (`relationship` other than `Self`).
     * @param adoptUsers Creates a user with an unknown `user_id` when a call names it, for programs with a copy of a database.
     * @param sandboxLimits Enforces the quotas of the live sandbox: 50 users, demo users for 7 days, and 7 days of time series a request.
     * @param bulkOperations Allows bulk operations on connections.
     * @param humanReview Allows human review of lab reports.
     * @param idempotencyMismatch The response to a repeated idempotency key with a different body: a conflict, or the first response again.
     * @param visitConfirmation What a booked visit at home shows: `pending` although its time is set, as in the live sandbox, or `confirmed` without the status `appointment_pending` before.
     * @param appointmentCreatedEvents Sends a created event, as well as an updated one, for the first booking of an appointment.
     * @param journalBodies Keeps the bodies of requests and responses in the journal of calls. Without them it knows no ignored fields of bodies.
     * @param unknownFutures Adds fields and values to responses that current clients do not know.
     * @param sparse Sends null in every field of responses and events that may be null, except cursors and what a user is linked with.
     * @param orderTransactions Allows reading order transactions and their results.
     * @param homeVisits Where visits at home can be booked: wherever a provider serves the ZIP code, or in 85004 and 54650 only, as in the live sandbox.
     * @param rejectDuplicateConnection Refuses to connect an account at a provider to a second user.
     * @param mobileEnvironment The environment in sign-in tokens, from which mobile SDKs derive the hosts they call. On port 8000 it is `local-eu`, which the iOS simulator reaches without a proxy, otherwise that of the API key.
     * @param sunset How deprecated operations and parameters behave: as usual, with the headers `Deprecation` and `Sunset`, or with 410 after their sunset date. `enforce` also removes deprecated fields from responses, unless the contract requires them.
     * @param history How much history a new connection pulls: that of its provider, at most three days, or none. Less history makes other tests faster.
     * @param pushHistoricalData Pushes the rows of a backfill before the backfill is announced.
     */
    public record Features(
        @JsonProperty("parity") String parity,
        @JsonProperty("contract_form") String contractForm,
        @JsonProperty("simulation") String simulation,
        @JsonProperty("partial_results_webhooks") boolean partialResultsWebhooks,
        @JsonProperty("redraws") boolean redraws,
        @JsonProperty("unmatched_results") boolean unmatchedResults,
        @JsonProperty("abn") boolean abn,
        @JsonProperty("psc_scheduling") boolean pscScheduling,
        @JsonProperty("working_hours") boolean workingHours,
        @JsonProperty("psc_time_zones") boolean pscTimeZones,
        @JsonProperty("arizona_scheduling") String arizonaScheduling,
        @JsonProperty("booking_before_requisition") boolean bookingBeforeRequisition,
        @JsonProperty("physician_rule") String physicianRule,
        @JsonProperty("phone_numbers") String phoneNumbers,
        @JsonProperty("minor_ordering") boolean minorOrdering,
        @JsonProperty("lab_test_approval") String labTestApproval,
        @JsonProperty("order_lab_account") boolean orderLabAccount,
        @JsonProperty("approxdraw") boolean approxdraw,
        @JsonProperty("approxdraw_labcorp") boolean approxdrawLabcorp,
        @JsonProperty("report_parser_limits") String reportParserLimits,
        @JsonProperty("insurance_needs_demographics") boolean insuranceNeedsDemographics,
        @JsonProperty("insurance_guarantor_rule") boolean insuranceGuarantorRule,
        @JsonProperty("adopt_users") boolean adoptUsers,
        @JsonProperty("sandbox_limits") boolean sandboxLimits,
        @JsonProperty("bulk_operations") boolean bulkOperations,
        @JsonProperty("human_review") boolean humanReview,
        @JsonProperty("idempotency_mismatch") String idempotencyMismatch,
        @JsonProperty("visit_confirmation") String visitConfirmation,
        @JsonProperty("appointment_created_events") boolean appointmentCreatedEvents,
        @JsonProperty("journal_bodies") boolean journalBodies,
        @JsonProperty("unknown_futures") boolean unknownFutures,
        @JsonProperty("sparse") boolean sparse,
        @JsonProperty("order_transactions") boolean orderTransactions,
        @JsonProperty("home_visits") String homeVisits,
        @JsonProperty("reject_duplicate_connection") boolean rejectDuplicateConnection,
        @JsonProperty("mobile_environment") String mobileEnvironment,
        @JsonProperty("sunset") String sunset,
        @JsonProperty("history") String history,
        @JsonProperty("push_historical_data") boolean pushHistoricalData) {}

    /**
     * @param rows How many rows are done.
     */
    public record WorldViewLongWorkItem(
        @JsonProperty("kind") String kind,
        @JsonProperty("rows") long rows,
        @JsonProperty("of") @Nullable Long of) {}

    public record WorldViewFailedJobsItem(
        @JsonProperty("at") String at,
        @JsonProperty("job") String job,
        @JsonProperty("subject") String subject,
        @JsonProperty("detail") String detail) {}

    public static final class NewWorld {
        @JsonProperty("name") private String name;
        @JsonProperty("seed") private Object seed;
        @JsonProperty("frozen") private Boolean frozen;
        @JsonProperty("now") private String now;
        @JsonProperty("scenario") private String scenario;
        @JsonProperty("webhook_url") private String webhookUrl;
        @JsonProperty("webhook_secret") private String webhookSecret;
        @JsonProperty("pace") private Double pace;
        @JsonProperty("like") private String like;
        @JsonProperty("history") private String history;

        public @Nullable String name() {
            return name;
        }

        public NewWorld name(String name) {
            this.name = name;
            return this;
        }

        public @Nullable Object seed() {
            return seed;
        }

        public NewWorld seed(Object seed) {
            this.seed = seed;
            return this;
        }

        public @Nullable Boolean frozen() {
            return frozen;
        }

        public NewWorld frozen(boolean frozen) {
            this.frozen = frozen;
            return this;
        }

        public @Nullable String now() {
            return now;
        }

        public NewWorld now(String now) {
            this.now = now;
            return this;
        }

        public NewWorld now(Instant now) {
            return now(now.toString());
        }

        public @Nullable String scenario() {
            return scenario;
        }

        public NewWorld scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        public @Nullable String webhookUrl() {
            return webhookUrl;
        }

        public NewWorld webhookUrl(String webhookUrl) {
            this.webhookUrl = webhookUrl;
            return this;
        }

        public @Nullable String webhookSecret() {
            return webhookSecret;
        }

        public NewWorld webhookSecret(String webhookSecret) {
            this.webhookSecret = webhookSecret;
            return this;
        }

        public @Nullable Double pace() {
            return pace;
        }

        public NewWorld pace(double pace) {
            this.pace = pace;
            return this;
        }

        public @Nullable String like() {
            return like;
        }

        public NewWorld like(String like) {
            this.like = like;
            return this;
        }

        public @Nullable String history() {
            return history;
        }

        public NewWorld history(String history) {
            this.history = history;
            return this;
        }

        @Override
        public String toString() {
            return "NewWorld " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class WorldPatch {
        @JsonProperty("scenario") private String scenario;
        @JsonProperty("like") private String like;
        @JsonProperty("features") private FeaturePatch features;
        @JsonProperty("api_key") private String apiKey;

        public @Nullable String scenario() {
            return scenario;
        }

        public WorldPatch scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        public @Nullable String like() {
            return like;
        }

        /** Also sets the scenario and pace of that team; null restores the defaults of Petri. */
        public WorldPatch like(String like) {
            this.like = like;
            return this;
        }

        public @Nullable FeaturePatch features() {
            return features;
        }

        public WorldPatch features(FeaturePatch features) {
            this.features = features;
            return this;
        }

        public @Nullable String apiKey() {
            return apiKey;
        }

        /** Replaces the API key of this world; the old one stops working. */
        public WorldPatch apiKey(String apiKey) {
            this.apiKey = apiKey;
            return this;
        }

        @Override
        public String toString() {
            return "WorldPatch " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class FeaturePatch {
        @JsonProperty("parity") private String parity;
        @JsonProperty("contract_form") private String contractForm;
        @JsonProperty("simulation") private String simulation;
        @JsonProperty("partial_results_webhooks") private Boolean partialResultsWebhooks;
        @JsonProperty("redraws") private Boolean redraws;
        @JsonProperty("unmatched_results") private Boolean unmatchedResults;
        @JsonProperty("abn") private Boolean abn;
        @JsonProperty("psc_scheduling") private Boolean pscScheduling;
        @JsonProperty("working_hours") private Boolean workingHours;
        @JsonProperty("psc_time_zones") private Boolean pscTimeZones;
        @JsonProperty("arizona_scheduling") private String arizonaScheduling;
        @JsonProperty("booking_before_requisition") private Boolean bookingBeforeRequisition;
        @JsonProperty("physician_rule") private String physicianRule;
        @JsonProperty("phone_numbers") private String phoneNumbers;
        @JsonProperty("minor_ordering") private Boolean minorOrdering;
        @JsonProperty("lab_test_approval") private String labTestApproval;
        @JsonProperty("order_lab_account") private Boolean orderLabAccount;
        @JsonProperty("approxdraw") private Boolean approxdraw;
        @JsonProperty("approxdraw_labcorp") private Boolean approxdrawLabcorp;
        @JsonProperty("report_parser_limits") private String reportParserLimits;
        @JsonProperty("insurance_needs_demographics") private Boolean insuranceNeedsDemographics;
        @JsonProperty("insurance_guarantor_rule") private Boolean insuranceGuarantorRule;
        @JsonProperty("adopt_users") private Boolean adoptUsers;
        @JsonProperty("sandbox_limits") private Boolean sandboxLimits;
        @JsonProperty("bulk_operations") private Boolean bulkOperations;
        @JsonProperty("human_review") private Boolean humanReview;
        @JsonProperty("idempotency_mismatch") private String idempotencyMismatch;
        @JsonProperty("visit_confirmation") private String visitConfirmation;
        @JsonProperty("appointment_created_events") private Boolean appointmentCreatedEvents;
        @JsonProperty("journal_bodies") private Boolean journalBodies;
        @JsonProperty("unknown_futures") private Boolean unknownFutures;
        @JsonProperty("sparse") private Boolean sparse;
        @JsonProperty("order_transactions") private Boolean orderTransactions;
        @JsonProperty("home_visits") private String homeVisits;
        @JsonProperty("reject_duplicate_connection") private Boolean rejectDuplicateConnection;
        @JsonProperty("mobile_environment") private String mobileEnvironment;
        @JsonProperty("sunset") private String sunset;
        @JsonProperty("history") private String history;
        @JsonProperty("push_historical_data") private Boolean pushHistoricalData;

        public @Nullable String parity() {
            return parity;
        }

        /** Which operations exist: `production` does not have those that only a sandbox has. */
        public FeaturePatch parity(String parity) {
            this.parity = parity;
            return this;
        }

        public @Nullable String contractForm() {
            return contractForm;
        }

        /** The form of responses and events if the specification and the live contract differ. `live` is what generated clients know: `received.testkit.registered`, the country of a kit as sent, and `started` for a report under review. If the live service fails on an invalid order, so does Petri. */
        public FeaturePatch contractForm(String contractForm) {
            this.contractForm = contractForm;
            return this;
        }

        public @Nullable String simulation() {
            return simulation;
        }

        /** How a simulated order goes: to the requested status by legal steps, or as recorded from the live sandbox, including the plain 500 for a cancelled kit. */
        public FeaturePatch simulation(String simulation) {
            this.simulation = simulation;
            return this;
        }

        public @Nullable Boolean partialResultsWebhooks() {
            return partialResultsWebhooks;
        }

        /** Sends an update for each batch of partial results. */
        public FeaturePatch partialResultsWebhooks(boolean partialResultsWebhooks) {
            this.partialResultsWebhooks = partialResultsWebhooks;
            return this;
        }

        public @Nullable Boolean redraws() {
            return redraws;
        }

        /** Offers a redraw for walk-in orders with missing results. */
        public FeaturePatch redraws(boolean redraws) {
            this.redraws = redraws;
            return this;
        }

        public @Nullable Boolean unmatchedResults() {
            return unmatchedResults;
        }

        /** Puts results that match no order into a queue for review. */
        public FeaturePatch unmatchedResults(boolean unmatchedResults) {
            this.unmatchedResults = unmatchedResults;
            return this;
        }

        public @Nullable Boolean abn() {
            return abn;
        }

        /** Adds an advance beneficiary notice to orders that need one. */
        public FeaturePatch abn(boolean abn) {
            this.abn = abn;
            return this;
        }

        public @Nullable Boolean pscScheduling() {
            return pscScheduling;
        }

        /** Allows appointments at patient service centers. */
        public FeaturePatch pscScheduling(boolean pscScheduling) {
            this.pscScheduling = pscScheduling;
            return this;
        }

        public @Nullable Boolean workingHours() {
            return workingHours;
        }

        /** Couriers, laboratories and phlebotomists act during their hours, Monday to Saturday except US federal holidays. */
        public FeaturePatch workingHours(boolean workingHours) {
            this.workingHours = workingHours;
            return this;
        }

        public @Nullable Boolean pscTimeZones() {
            return pscTimeZones;
        }

        /** Appointment slots are in the time zone of the site. */
        public FeaturePatch pscTimeZones(boolean pscTimeZones) {
            this.pscTimeZones = pscTimeZones;
            return this;
        }

        public @Nullable String arizonaScheduling() {
            return arizonaScheduling;
        }

        /** Who keeps the calendar of sites of Quest in Arizona. The laboratory confirms later, and nothing can be cancelled or moved through the API. */
        public FeaturePatch arizonaScheduling(String arizonaScheduling) {
            this.arizonaScheduling = arizonaScheduling;
            return this;
        }

        public @Nullable Boolean bookingBeforeRequisition() {
            return bookingBeforeRequisition;
        }

        /** Allows bookings before the requisition exists; they are reserved until it does. */
        public FeaturePatch bookingBeforeRequisition(boolean bookingBeforeRequisition) {
            this.bookingBeforeRequisition = bookingBeforeRequisition;
            return this;
        }

        public @Nullable String physicianRule() {
            return physicianRule;
        }

        /** What happens to an order without the physician that its lab account requires: refused, or accepted for now. */
        public FeaturePatch physicianRule(String physicianRule) {
            this.physicianRule = physicianRule;
            return this;
        }

        public @Nullable String phoneNumbers() {
            return phoneNumbers;
        }

        /** How phone numbers in orders are checked: by their form, or also by whether such a number can exist. */
        public FeaturePatch phoneNumbers(String phoneNumbers) {
            this.phoneNumbers = phoneNumbers;
            return this;
        }

        public @Nullable Boolean minorOrdering() {
            return minorOrdering;
        }

        /** Allows orders for patients under 18 with a medical proxy. */
        public FeaturePatch minorOrdering(boolean minorOrdering) {
            this.minorOrdering = minorOrdering;
            return this;
        }

        public @Nullable String labTestApproval() {
            return labTestApproval;
        }

        /** When a new lab test can be ordered: at once, or after a day of review. */
        public FeaturePatch labTestApproval(String labTestApproval) {
            this.labTestApproval = labTestApproval;
            return this;
        }

        public @Nullable Boolean orderLabAccount() {
            return orderLabAccount;
        }

        /** Shows `lab_account_id` in orders, as clients since 3.0 know it; recorded orders lack it. */
        public FeaturePatch orderLabAccount(boolean orderLabAccount) {
            this.orderLabAccount = orderLabAccount;
            return this;
        }

        public @Nullable Boolean approxdraw() {
            return approxdraw;
        }

        /** Gives the tubes that a lab test needs at home, at all laboratories except Labcorp. */
        public FeaturePatch approxdraw(boolean approxdraw) {
            this.approxdraw = approxdraw;
            return this;
        }

        public @Nullable Boolean approxdrawLabcorp() {
            return approxdrawLabcorp;
        }

        /** Gives the tubes that a lab test of Labcorp needs at home. */
        public FeaturePatch approxdrawLabcorp(boolean approxdrawLabcorp) {
            this.approxdrawLabcorp = approxdrawLabcorp;
            return this;
        }

        public @Nullable String reportParserLimits() {
            return reportParserLimits;
        }

        /** The largest accepted lab report: 10 MiB as specified, or 30 MiB as in the live service. */
        public FeaturePatch reportParserLimits(String reportParserLimits) {
            this.reportParserLimits = reportParserLimits;
            return this;
        }

        public @Nullable Boolean insuranceNeedsDemographics() {
            return insuranceNeedsDemographics;
        }

        /** Refuses insurance until the user has demographics. */
        public FeaturePatch insuranceNeedsDemographics(boolean insuranceNeedsDemographics) {
            this.insuranceNeedsDemographics = insuranceNeedsDemographics;
            return this;
        }

        public @Nullable Boolean insuranceGuarantorRule() {
            return insuranceGuarantorRule;
        }

        /** Requires a guarantor if the patient is not the insured (`relationship` other than `Self`). */
        public FeaturePatch insuranceGuarantorRule(boolean insuranceGuarantorRule) {
            this.insuranceGuarantorRule = insuranceGuarantorRule;
            return this;
        }

        public @Nullable Boolean adoptUsers() {
            return adoptUsers;
        }

        /** Creates a user with an unknown `user_id` when a call names it, for programs with a copy of a database. */
        public FeaturePatch adoptUsers(boolean adoptUsers) {
            this.adoptUsers = adoptUsers;
            return this;
        }

        public @Nullable Boolean sandboxLimits() {
            return sandboxLimits;
        }

        /** Enforces the quotas of the live sandbox: 50 users, demo users for 7 days, and 7 days of time series a request. */
        public FeaturePatch sandboxLimits(boolean sandboxLimits) {
            this.sandboxLimits = sandboxLimits;
            return this;
        }

        public @Nullable Boolean bulkOperations() {
            return bulkOperations;
        }

        /** Allows bulk operations on connections. */
        public FeaturePatch bulkOperations(boolean bulkOperations) {
            this.bulkOperations = bulkOperations;
            return this;
        }

        public @Nullable Boolean humanReview() {
            return humanReview;
        }

        /** Allows human review of lab reports. */
        public FeaturePatch humanReview(boolean humanReview) {
            this.humanReview = humanReview;
            return this;
        }

        public @Nullable String idempotencyMismatch() {
            return idempotencyMismatch;
        }

        /** The response to a repeated idempotency key with a different body: a conflict, or the first response again. */
        public FeaturePatch idempotencyMismatch(String idempotencyMismatch) {
            this.idempotencyMismatch = idempotencyMismatch;
            return this;
        }

        public @Nullable String visitConfirmation() {
            return visitConfirmation;
        }

        /** What a booked visit at home shows: `pending` although its time is set, as in the live sandbox, or `confirmed` without the status `appointment_pending` before. */
        public FeaturePatch visitConfirmation(String visitConfirmation) {
            this.visitConfirmation = visitConfirmation;
            return this;
        }

        public @Nullable Boolean appointmentCreatedEvents() {
            return appointmentCreatedEvents;
        }

        /** Sends a created event, as well as an updated one, for the first booking of an appointment. */
        public FeaturePatch appointmentCreatedEvents(boolean appointmentCreatedEvents) {
            this.appointmentCreatedEvents = appointmentCreatedEvents;
            return this;
        }

        public @Nullable Boolean journalBodies() {
            return journalBodies;
        }

        /** Keeps the bodies of requests and responses in the journal of calls. Without them it knows no ignored fields of bodies. */
        public FeaturePatch journalBodies(boolean journalBodies) {
            this.journalBodies = journalBodies;
            return this;
        }

        public @Nullable Boolean unknownFutures() {
            return unknownFutures;
        }

        /** Adds fields and values to responses that current clients do not know. */
        public FeaturePatch unknownFutures(boolean unknownFutures) {
            this.unknownFutures = unknownFutures;
            return this;
        }

        public @Nullable Boolean sparse() {
            return sparse;
        }

        /** Sends null in every field of responses and events that may be null, except cursors and what a user is linked with. */
        public FeaturePatch sparse(boolean sparse) {
            this.sparse = sparse;
            return this;
        }

        public @Nullable Boolean orderTransactions() {
            return orderTransactions;
        }

        /** Allows reading order transactions and their results. */
        public FeaturePatch orderTransactions(boolean orderTransactions) {
            this.orderTransactions = orderTransactions;
            return this;
        }

        public @Nullable String homeVisits() {
            return homeVisits;
        }

        /** Where visits at home can be booked: wherever a provider serves the ZIP code, or in 85004 and 54650 only, as in the live sandbox. */
        public FeaturePatch homeVisits(String homeVisits) {
            this.homeVisits = homeVisits;
            return this;
        }

        public @Nullable Boolean rejectDuplicateConnection() {
            return rejectDuplicateConnection;
        }

        /** Refuses to connect an account at a provider to a second user. */
        public FeaturePatch rejectDuplicateConnection(boolean rejectDuplicateConnection) {
            this.rejectDuplicateConnection = rejectDuplicateConnection;
            return this;
        }

        public @Nullable String mobileEnvironment() {
            return mobileEnvironment;
        }

        /** The environment in sign-in tokens, from which mobile SDKs derive the hosts they call. On port 8000 it is `local-eu`, which the iOS simulator reaches without a proxy, otherwise that of the API key. */
        public FeaturePatch mobileEnvironment(String mobileEnvironment) {
            this.mobileEnvironment = mobileEnvironment;
            return this;
        }

        public @Nullable String sunset() {
            return sunset;
        }

        /** How deprecated operations and parameters behave: as usual, with the headers `Deprecation` and `Sunset`, or with 410 after their sunset date. `enforce` also removes deprecated fields from responses, unless the contract requires them. */
        public FeaturePatch sunset(String sunset) {
            this.sunset = sunset;
            return this;
        }

        public @Nullable String history() {
            return history;
        }

        /** How much history a new connection pulls: that of its provider, at most three days, or none. Less history makes other tests faster. */
        public FeaturePatch history(String history) {
            this.history = history;
            return this;
        }

        public @Nullable Boolean pushHistoricalData() {
            return pushHistoricalData;
        }

        /** Pushes the rows of a backfill before the backfill is announced. */
        public FeaturePatch pushHistoricalData(boolean pushHistoricalData) {
            this.pushHistoricalData = pushHistoricalData;
            return this;
        }

        @Override
        public String toString() {
            return "FeaturePatch " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class Reset {
        @JsonProperty("seed") private Object seed;
        @JsonProperty("keep_endpoints") private Boolean keepEndpoints;
        @JsonProperty("new_ids") private Boolean newIds;

        public @Nullable Object seed() {
            return seed;
        }

        public Reset seed(Object seed) {
            this.seed = seed;
            return this;
        }

        public @Nullable Boolean keepEndpoints() {
            return keepEndpoints;
        }

        /** Whether webhook endpoints that were added since the world was created stay. */
        public Reset keepEndpoints(boolean keepEndpoints) {
            this.keepEndpoints = keepEndpoints;
            return this;
        }

        public @Nullable Boolean newIds() {
            return newIds;
        }

        /** Whether ids differ from those before the reset; by default only in a live world without a given seed. */
        public Reset newIds(boolean newIds) {
            this.newIds = newIds;
            return this;
        }

        @Override
        public String toString() {
            return "Reset " + Caller.JSON.valueToTree(this);
        }
    }

    /**
     * @param like The team of the live service whose scenario, pace and features it has where none were set.
     * @param longWork Running long operations.
     * @param failedJobs Jobs that failed because of a bug in Petri, and are not run again.
     * @param removedEndpoints The URLs of the webhook endpoints that are gone.
     */
    public record ResetWorld(
        @JsonProperty("team_id") String teamId,
        @JsonProperty("org_id") String orgId,
        @JsonProperty("name") String name,
        @JsonProperty("api_key") String apiKey,
        @JsonProperty("webhook_secret") String webhookSecret,
        @JsonProperty("seed") String seed,
        @JsonProperty("scenario") String scenario,
        @JsonProperty("like") @Nullable String like,
        @JsonProperty("clock") Clock clock,
        @JsonProperty("features") Features features,
        @JsonProperty("counts") Map<String, Long> counts,
        @JsonProperty("long_work") List<ResetWorldLongWorkItem> longWork,
        @JsonProperty("failed_jobs") List<ResetWorldFailedJobsItem> failedJobs,
        @JsonProperty("removed_endpoints") List<String> removedEndpoints) {}

    /**
     * @param rows How many rows are done.
     */
    public record ResetWorldLongWorkItem(
        @JsonProperty("kind") String kind,
        @JsonProperty("rows") long rows,
        @JsonProperty("of") @Nullable Long of) {}

    public record ResetWorldFailedJobsItem(
        @JsonProperty("at") String at,
        @JsonProperty("job") String job,
        @JsonProperty("subject") String subject,
        @JsonProperty("detail") String detail) {}

    public static final class ClockPatch {
        @JsonProperty("frozen") private Boolean frozen;
        @JsonProperty("pace") private Double pace;
        @JsonProperty("now") private String now;

        public @Nullable Boolean frozen() {
            return frozen;
        }

        public ClockPatch frozen(boolean frozen) {
            this.frozen = frozen;
            return this;
        }

        public @Nullable Double pace() {
            return pace;
        }

        public ClockPatch pace(double pace) {
            this.pace = pace;
            return this;
        }

        public @Nullable String now() {
            return now;
        }

        public ClockPatch now(String now) {
            this.now = now;
            return this;
        }

        public ClockPatch now(Instant now) {
            return now(now.toString());
        }

        @Override
        public String toString() {
            return "ClockPatch " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class Advance {
        @JsonProperty("by") private String by;
        @JsonProperty("to") private String to;
        @JsonProperty("until") private String until;
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("status") private String status;

        public @Nullable String by() {
            return by;
        }

        public Advance by(String by) {
            this.by = by;
            return this;
        }

        public Advance by(Duration by) {
            return by(by.toMillis() + "ms");
        }

        public @Nullable String to() {
            return to;
        }

        public Advance to(String to) {
            this.to = to;
            return this;
        }

        public Advance to(Instant to) {
            return to(to.toString());
        }

        public @Nullable String until() {
            return until;
        }

        /** "idle": until no job is pending; "next": until the next job is done. */
        public Advance until(String until) {
            this.until = until;
            return this;
        }

        public @Nullable String orderId() {
            return orderId;
        }

        public Advance orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable String status() {
            return status;
        }

        /** Until the order has reached this low-level or dotted status. */
        public Advance status(String status) {
            this.status = status;
            return this;
        }

        @Override
        public String toString() {
            return "Advance " + Caller.JSON.valueToTree(this);
        }
    }

    /**
     * @param summary What waits for the customer, and what failed, in words.
     * @param stopped Set if the advance was stopped; `now` is then the time it reached.
     */
    public record Advanced(
        @JsonProperty("now") String now,
        @JsonProperty("effects") List<Effect> effects,
        @JsonProperty("pending") long pending,
        @JsonProperty("next_due") @Nullable String nextDue,
        @JsonProperty("effects_dropped") @Nullable Long effectsDropped,
        @JsonProperty("summary") List<String> summary,
        @JsonProperty("stopped") @Nullable Boolean stopped) {}

    public record Effect(
        @JsonProperty("at") String at,
        @JsonProperty("kind") String kind,
        @JsonProperty("order_id") @Nullable String orderId,
        @JsonProperty("user_id") @Nullable String userId,
        @JsonProperty("event_type") @Nullable String eventType,
        @JsonProperty("message_id") @Nullable String messageId,
        @JsonProperty("status") @Nullable Object status,
        @JsonProperty("detail") @Nullable String detail,
        @JsonProperty("advice") @Nullable String advice) {}

    public record StoppedAdvance(
        @JsonProperty("stopped") boolean stopped,
        @JsonProperty("now") String now) {}

    public record Agenda(
        @JsonProperty("data") List<AgendaItem> data,
        @JsonProperty("total") long total) {}

    public record AgendaItem(
        @JsonProperty("due") String due,
        @JsonProperty("kind") String kind,
        @JsonProperty("subject") String subject,
        @JsonProperty("order_id") @Nullable String orderId,
        @JsonProperty("user_id") @Nullable String userId,
        @JsonProperty("does") String does,
        @JsonProperty("recurring") boolean recurring) {}

    public record Ids(
        @JsonProperty("data") List<IdsDataItem> data,
        @JsonProperty("total") long total) {}

    public record IdsDataItem(
        @JsonProperty("kind") String kind,
        @JsonProperty("id") String id) {}

    public record Lifecycle(
        @JsonProperty("workflows") List<Workflow> workflows,
        @JsonProperty("phases") List<String> phases,
        @JsonProperty("status_details") Map<String, List<String>> statusDetails) {}

    public record Workflow(
        @JsonProperty("name") String name,
        @JsonProperty("method") String method,
        @JsonProperty("happy_path") List<String> happyPath,
        @JsonProperty("statuses") List<LifecycleStatus> statuses) {}

    public record LifecycleStatus(
        @JsonProperty("name") String name,
        @JsonProperty("status") String status,
        @JsonProperty("phase") String phase,
        @JsonProperty("leads_to") List<String> leadsTo) {}

    public record Faults(
        @JsonProperty("faults") List<Fault> faults) {}

    public record Fault(
        @JsonProperty("id") String id,
        @JsonProperty("operation") String operation,
        @JsonProperty("operation_id") String operationId,
        @JsonProperty("order_id") @Nullable String orderId,
        @JsonProperty("times") @Nullable Long times,
        @JsonProperty("rate") double rate,
        @JsonProperty("after") long after,
        @JsonProperty("respond") @Nullable FaultRespond respond,
        @JsonProperty("latency") @Nullable FaultLatency latency,
        @JsonProperty("drop") @Nullable String drop,
        @JsonProperty("seen") long seen,
        @JsonProperty("hits") long hits) {}

    public record FaultRespond(
        @JsonProperty("status") long status,
        @JsonProperty("detail") @Nullable Object detail,
        @JsonProperty("body") @Nullable Object body,
        @JsonProperty("headers") @Nullable Map<String, String> headers) {}

    public record FaultLatency(
        @JsonProperty("min") String min,
        @JsonProperty("max") String max) {}

    public static final class FaultsInput {
        @JsonProperty("faults") private List<FaultInput> faults;

        public @Nullable List<FaultInput> faults() {
            return faults;
        }

        public FaultsInput faults(List<FaultInput> faults) {
            this.faults = faults;
            return this;
        }

        @Override
        public String toString() {
            return "FaultsInput " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class FaultInput {
        @JsonProperty("operation") private String operation;
        @JsonProperty("times") private Long times;
        @JsonProperty("rate") private Double rate;
        @JsonProperty("after") private Long after;
        @JsonProperty("respond") private FaultResponse respond;
        @JsonProperty("latency") private Object latency;
        @JsonProperty("drop") private String drop;

        public @Nullable String operation() {
            return operation;
        }

        /** The operation it applies to: an id, or a route such as GET /v3/order/{order_id}. */
        public FaultInput operation(String operation) {
            this.operation = operation;
            return this;
        }

        public @Nullable Long times() {
            return times;
        }

        /** The number of calls it applies to; without a limit if null or left out. */
        public FaultInput times(long times) {
            this.times = times;
            return this;
        }

        public @Nullable Double rate() {
            return rate;
        }

        /** The share of calls it applies to, from 0 to 1; all by default. The seed decides which. */
        public FaultInput rate(double rate) {
            this.rate = rate;
            return this;
        }

        public @Nullable Long after() {
            return after;
        }

        /** The number of calls that pass before it applies. */
        public FaultInput after(long after) {
            this.after = after;
            return this;
        }

        public @Nullable FaultResponse respond() {
            return respond;
        }

        /** The response to send instead: a status, and optionally detail or body, and headers. The operation does not run. */
        public FaultInput respond(FaultResponse respond) {
            this.respond = respond;
            return this;
        }

        public @Nullable Object latency() {
            return latency;
        }

        /** A delay of the response in real time, such as 2s, or between min and max. */
        public FaultInput latency(Object latency) {
            this.latency = latency;
            return this;
        }

        public @Nullable String drop() {
            return drop;
        }

        /** How the connection breaks. reset: no response, and the operation does not run. truncate: the operation runs, and the response breaks off. */
        public FaultInput drop(String drop) {
            this.drop = drop;
            return this;
        }

        @Override
        public String toString() {
            return "FaultInput " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class FaultResponse {
        @JsonProperty("status") private Long status;
        @JsonProperty("detail") private Object detail;
        @JsonProperty("body") private Object body;
        @JsonProperty("headers") private Map<String, String> headers;

        public @Nullable Long status() {
            return status;
        }

        public FaultResponse status(long status) {
            this.status = status;
            return this;
        }

        public @Nullable Object detail() {
            return detail;
        }

        /** The `detail` of the body; the service's usual message if left out. */
        public FaultResponse detail(Object detail) {
            this.detail = detail;
            return this;
        }

        public @Nullable Object body() {
            return body;
        }

        /** The whole body instead of detail: any JSON, or a text, which is sent as it is. An empty text sends no body. Sent as application/json or text/plain, unless headers say otherwise. */
        public FaultResponse body(Object body) {
            this.body = body;
            return this;
        }

        public @Nullable Map<String, String> headers() {
            return headers;
        }

        /** Response headers, such as retry-after. */
        public FaultResponse headers(Map<String, String> headers) {
            this.headers = headers;
            return this;
        }

        @Override
        public String toString() {
            return "FaultResponse " + Caller.JSON.valueToTree(this);
        }
    }

    public record RefusedCallList(
        @JsonProperty("data") List<RefusedCall> data,
        @JsonProperty("next_cursor") @Nullable String nextCursor) {}

    public record RefusedCall(
        @JsonProperty("at") String at,
        @JsonProperty("operation") String operation,
        @JsonProperty("method") String method,
        @JsonProperty("path") String path,
        @JsonProperty("status") long status,
        @JsonProperty("detail") String detail) {}

    public record RequestList(
        @JsonProperty("data") List<RequestSummary> data,
        @JsonProperty("next_cursor") @Nullable String nextCursor) {}

    /**
     * @param sequence Its place among the calls and messages of the world since the last start.
     * @param faultId The injected fault that applied to the call.
     */
    public record RequestSummary(
        @JsonProperty("id") String id,
        @JsonProperty("at") String at,
        @JsonProperty("sequence") long sequence,
        @JsonProperty("operation") @Nullable String operation,
        @JsonProperty("method") String method,
        @JsonProperty("path") String path,
        @JsonProperty("status") long status,
        @JsonProperty("duration_ms") long durationMs,
        @JsonProperty("from") @Nullable String from,
        @JsonProperty("ignored_count") long ignoredCount,
        @JsonProperty("fault_id") @Nullable String faultId) {}

    /**
     * @param sequence Its place among the calls and messages of the world since the last start.
     * @param faultId The injected fault that applied to the call.
     * @param body JSON or text; null if there is none.
     * @param response JSON or text; null for files, or if there is none.
     * @param nearestFields The most similar known field, by ignored field.
     * @param adoptedUsers Users that were created because the call named them; see the feature `adopt_users`.
     */
    public record Request(
        @JsonProperty("id") String id,
        @JsonProperty("at") String at,
        @JsonProperty("sequence") long sequence,
        @JsonProperty("operation") @Nullable String operation,
        @JsonProperty("method") String method,
        @JsonProperty("path") String path,
        @JsonProperty("status") long status,
        @JsonProperty("duration_ms") long durationMs,
        @JsonProperty("from") @Nullable String from,
        @JsonProperty("ignored_count") long ignoredCount,
        @JsonProperty("fault_id") @Nullable String faultId,
        @JsonProperty("headers") Map<String, String> headers,
        @JsonProperty("body") @Nullable Object body,
        @JsonProperty("response") @Nullable Object response,
        @JsonProperty("ignored") List<String> ignored,
        @JsonProperty("nearest_fields") Map<String, String> nearestFields,
        @JsonProperty("caused") List<CausedEvent> caused,
        @JsonProperty("nearest") List<String> nearest,
        @JsonProperty("adopted_users") List<String> adoptedUsers) {}

    public record CausedEvent(
        @JsonProperty("event_id") String eventId,
        @JsonProperty("event_type") String eventType,
        @JsonProperty("subject_status") @Nullable String subjectStatus,
        @JsonProperty("at") String at,
        @JsonProperty("messages") List<CausedEventMessagesItem> messages) {}

    public record CausedEventMessagesItem(
        @JsonProperty("id") String id,
        @JsonProperty("endpoint_id") String endpointId,
        @JsonProperty("status") String status) {}

    public static final class Wait {
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("status") private String status;
        @JsonProperty("message") private WaitMessage message;
        @JsonProperty("request") private WaitRequest request;
        @JsonProperty("times") private Long times;
        @JsonProperty("timeout") private String timeout;

        public @Nullable String orderId() {
            return orderId;
        }

        public Wait orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable String status() {
            return status;
        }

        /** The low-level or dotted status to wait for. */
        public Wait status(String status) {
            this.status = status;
            return this;
        }

        public @Nullable WaitMessage message() {
            return message;
        }

        public Wait message(WaitMessage message) {
            this.message = message;
            return this;
        }

        public @Nullable WaitRequest request() {
            return request;
        }

        public Wait request(WaitRequest request) {
            this.request = request;
            return this;
        }

        public @Nullable Long times() {
            return times;
        }

        public Wait times(long times) {
            this.times = times;
            return this;
        }

        public @Nullable String timeout() {
            return timeout;
        }

        /** In wall-clock time; 10s by default. In a frozen world a call without one fails at once when only time can help. */
        public Wait timeout(String timeout) {
            this.timeout = timeout;
            return this;
        }

        /** In wall-clock time; 10s by default. In a frozen world a call without one fails at once when only time can help. */
        public Wait timeout(Duration timeout) {
            return timeout(timeout.toMillis() + "ms");
        }

        @Override
        public String toString() {
            return "Wait " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class WaitMessage {
        @JsonProperty("event_type") private String eventType;
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("user_id") private String userId;
        @JsonProperty("status") private String status;

        public @Nullable String eventType() {
            return eventType;
        }

        public WaitMessage eventType(String eventType) {
            this.eventType = eventType;
            return this;
        }

        public @Nullable String orderId() {
            return orderId;
        }

        public WaitMessage orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable String userId() {
            return userId;
        }

        public WaitMessage userId(String userId) {
            this.userId = userId;
            return this;
        }

        public @Nullable String status() {
            return status;
        }

        public WaitMessage status(String status) {
            this.status = status;
            return this;
        }

        @Override
        public String toString() {
            return "WaitMessage " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class WaitRequest {
        @JsonProperty("operation") private String operation;
        @JsonProperty("status") private Object status;

        public @Nullable String operation() {
            return operation;
        }

        /** An id or a route. */
        public WaitRequest operation(String operation) {
            this.operation = operation;
            return this;
        }

        public @Nullable Object status() {
            return status;
        }

        /** Such as 200 or "4xx"; any status by default. */
        public WaitRequest status(Object status) {
            this.status = status;
            return this;
        }

        @Override
        public String toString() {
            return "WaitRequest " + Caller.JSON.valueToTree(this);
        }
    }

    public record Found(
        @JsonProperty("order") @Nullable Order order,
        @JsonProperty("messages") @Nullable List<WebhookMessage> messages,
        @JsonProperty("requests") @Nullable List<RequestSummary> requests) {}

    public record Order(
        @JsonProperty("user_id") String userId,
        @JsonProperty("id") String id,
        @JsonProperty("team_id") String teamId,
        @JsonProperty("patient_details") @Nullable PatientDetails patientDetails,
        @JsonProperty("patient_address") @Nullable PatientAddress patientAddress,
        @JsonProperty("lab_test") OrderedLabTest labTest,
        @JsonProperty("details") Object details,
        @JsonProperty("sample_id") @Nullable String sampleId,
        @JsonProperty("notes") @Nullable String notes,
        @JsonProperty("clinical_notes") @Nullable String clinicalNotes,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("updated_at") String updatedAt,
        @JsonProperty("events") List<OrderEvent> events,
        @JsonProperty("status") @Nullable String status,
        @JsonProperty("last_event") OrderEvent lastEvent,
        @JsonProperty("physician") @Nullable Physician physician,
        @JsonProperty("health_insurance_id") @Nullable String healthInsuranceId,
        @JsonProperty("health_insurace_id") @Nullable String healthInsuraceId,
        @JsonProperty("requisition_form_url") @Nullable String requisitionFormUrl,
        @JsonProperty("priority") boolean priority,
        @JsonProperty("shipping_details") @Nullable ShippingDetails shippingDetails,
        @JsonProperty("activate_by") @Nullable String activateBy,
        @JsonProperty("passthrough") @Nullable String passthrough,
        @JsonProperty("billing_type") String billingType,
        @JsonProperty("icd_codes") @Nullable List<String> icdCodes,
        @JsonProperty("has_abn") boolean hasAbn,
        @JsonProperty("interpretation") @Nullable String interpretation,
        @JsonProperty("has_missing_results") @Nullable Boolean hasMissingResults,
        @JsonProperty("expected_result_by_date") @Nullable String expectedResultByDate,
        @JsonProperty("worst_case_result_by_date") @Nullable String worstCaseResultByDate,
        @JsonProperty("origin") @Nullable String origin,
        @JsonProperty("order_transaction") @Nullable OrderTransaction orderTransaction,
        @JsonProperty("lab_account_id") @Nullable String labAccountId) {}

    public record PatientDetails(
        @JsonProperty("first_name") @Nullable String firstName,
        @JsonProperty("last_name") @Nullable String lastName,
        @JsonProperty("dob") String dob,
        @JsonProperty("gender") String gender,
        @JsonProperty("phone_number") @Nullable String phoneNumber,
        @JsonProperty("email") @Nullable String email,
        @JsonProperty("medical_proxy") @Nullable MedicalProxy medicalProxy,
        @JsonProperty("race") @Nullable String race,
        @JsonProperty("ethnicity") @Nullable String ethnicity,
        @JsonProperty("sexual_orientation") @Nullable String sexualOrientation,
        @JsonProperty("gender_identity") @Nullable String genderIdentity) {}

    public record MedicalProxy(
        @JsonProperty("first_name") String firstName,
        @JsonProperty("last_name") String lastName,
        @JsonProperty("address") Address address,
        @JsonProperty("phone_number") String phoneNumber,
        @JsonProperty("household_income") @Nullable Long householdIncome,
        @JsonProperty("household_size") @Nullable Long householdSize,
        @JsonProperty("email") @Nullable String email) {}

    public record Address(
        @JsonProperty("first_line") String firstLine,
        @JsonProperty("second_line") @Nullable String secondLine,
        @JsonProperty("country") String country,
        @JsonProperty("zip") String zip,
        @JsonProperty("city") String city,
        @JsonProperty("state") String state,
        @JsonProperty("access_notes") @Nullable String accessNotes) {}

    public record PatientAddress(
        @JsonProperty("receiver_name") String receiverName,
        @JsonProperty("first_line") String firstLine,
        @JsonProperty("second_line") @Nullable String secondLine,
        @JsonProperty("city") String city,
        @JsonProperty("state") String state,
        @JsonProperty("zip") String zip,
        @JsonProperty("country") String country,
        @JsonProperty("access_notes") @Nullable String accessNotes,
        @JsonProperty("phone_number") @Nullable String phoneNumber) {}

    public record OrderedLabTest(
        @JsonProperty("id") String id,
        @JsonProperty("slug") String slug,
        @JsonProperty("name") String name,
        @JsonProperty("sample_type") String sampleType,
        @JsonProperty("method") String method,
        @JsonProperty("price") double price,
        @JsonProperty("is_active") boolean isActive,
        @JsonProperty("status") String status,
        @JsonProperty("fasting") boolean fasting,
        @JsonProperty("lab") @Nullable Lab lab,
        @JsonProperty("markers") @Nullable List<Marker> markers,
        @JsonProperty("is_delegated") boolean isDelegated,
        @JsonProperty("auto_generated") boolean autoGenerated,
        @JsonProperty("has_collection_instructions") @Nullable Boolean hasCollectionInstructions,
        @JsonProperty("common_tat_days") @Nullable Long commonTatDays,
        @JsonProperty("worst_case_tat_days") @Nullable Long worstCaseTatDays,
        @JsonProperty("description") @Nullable String description) {}

    public record Lab(
        @JsonProperty("id") long id,
        @JsonProperty("slug") String slug,
        @JsonProperty("name") String name,
        @JsonProperty("first_line_address") String firstLineAddress,
        @JsonProperty("city") String city,
        @JsonProperty("zipcode") String zipcode,
        @JsonProperty("collection_methods") List<String> collectionMethods,
        @JsonProperty("sample_types") List<String> sampleTypes,
        @JsonProperty("logo_url") @Nullable String logoUrl) {}

    public record Marker(
        @JsonProperty("id") long id,
        @JsonProperty("name") String name,
        @JsonProperty("slug") String slug,
        @JsonProperty("description") @Nullable String description,
        @JsonProperty("lab_id") @Nullable Long labId,
        @JsonProperty("provider_id") @Nullable String providerId,
        @JsonProperty("type") @Nullable String type,
        @JsonProperty("unit") @Nullable String unit,
        @JsonProperty("price") @Nullable String price,
        @JsonProperty("aoe") @Nullable Aoe aoe,
        @JsonProperty("a_la_carte_enabled") boolean aLaCarteEnabled,
        @JsonProperty("common_tat_days") @Nullable Long commonTatDays,
        @JsonProperty("worst_case_tat_days") @Nullable Long worstCaseTatDays,
        @JsonProperty("is_orderable") @Nullable Boolean isOrderable) {}

    public record Aoe(
        @JsonProperty("questions") List<AoeQuestion> questions) {}

    public record AoeQuestion(
        @JsonProperty("id") long id,
        @JsonProperty("required") boolean required,
        @JsonProperty("code") String code,
        @JsonProperty("value") String value,
        @JsonProperty("type") String type,
        @JsonProperty("sequence") long sequence,
        @JsonProperty("answers") List<AoeQuestionAnswersItem> answers,
        @JsonProperty("constraint") @Nullable String constraint,
        @JsonProperty("default") @Nullable String default_) {}

    public record AoeQuestionAnswersItem(
        @JsonProperty("id") long id,
        @JsonProperty("code") String code,
        @JsonProperty("value") String value) {}

    public record OrderEvent(
        @JsonProperty("id") long id,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("status") String status,
        @JsonProperty("status_detail") @Nullable String statusDetail) {}

    public record Physician(
        @JsonProperty("first_name") String firstName,
        @JsonProperty("last_name") String lastName,
        @JsonProperty("npi") String npi) {}

    public record ShippingDetails(
        @JsonProperty("receiver_name") String receiverName,
        @JsonProperty("first_line") String firstLine,
        @JsonProperty("second_line") @Nullable String secondLine,
        @JsonProperty("city") String city,
        @JsonProperty("state") String state,
        @JsonProperty("zip") String zip,
        @JsonProperty("country") String country,
        @JsonProperty("phone_number") String phoneNumber) {}

    public record OrderTransaction(
        @JsonProperty("id") String id,
        @JsonProperty("status") String status,
        @JsonProperty("orders") List<OrderInTransaction> orders) {}

    public record OrderInTransaction(
        @JsonProperty("id") String id,
        @JsonProperty("low_level_status") @Nullable String lowLevelStatus,
        @JsonProperty("low_level_status_created_at") @Nullable String lowLevelStatusCreatedAt,
        @JsonProperty("origin") @Nullable String origin,
        @JsonProperty("parent_id") @Nullable String parentId,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("updated_at") String updatedAt) {}

    /**
     * @param unreadable Snapshots that cannot be read now, which `data` leaves out.
     */
    public record Snapshots(
        @JsonProperty("data") List<Snapshot> data,
        @JsonProperty("next_cursor") @Nullable String nextCursor,
        @JsonProperty("unreadable") List<SnapshotsUnreadableItem> unreadable) {}

    public record Snapshot(
        @JsonProperty("name") String name,
        @JsonProperty("at") String at,
        @JsonProperty("frozen") boolean frozen,
        @JsonProperty("rows") long rows) {}

    public record SnapshotsUnreadableItem(
        @JsonProperty("name") String name,
        @JsonProperty("reason") String reason) {}

    /**
     * @param behaviourSeed The seed of behaviour, if `seed` is that of ids only.
     */
    public record State(
        @JsonProperty("format") double format,
        @JsonProperty("petri_version") String petriVersion,
        @JsonProperty("team_id") String teamId,
        @JsonProperty("org_id") String orgId,
        @JsonProperty("base_url") String baseUrl,
        @JsonProperty("seed") String seed,
        @JsonProperty("behaviour_seed") @Nullable String behaviourSeed,
        @JsonProperty("clock") StateClock clock,
        @JsonProperty("birth") StateBirth birth,
        @JsonProperty("settings") StateSettings settings,
        @JsonProperty("tables") Map<String, Map<String, Map<String, Object>>> tables,
        @JsonProperty("organisation") Map<String, Map<String, Map<String, Object>>> organisation) {}

    public record StateClock(
        @JsonProperty("now") String now,
        @JsonProperty("frozen") boolean frozen) {}

    public record StateBirth(
        @JsonProperty("frozen") boolean frozen,
        @JsonProperty("now") @Nullable String now,
        @JsonProperty("pace") double pace,
        @JsonProperty("scenario") String scenario,
        @JsonProperty("webhook_url") @Nullable String webhookUrl) {}

    public record StateSettings(
        @JsonProperty("pace") double pace,
        @JsonProperty("scenario") String scenario,
        @JsonProperty("features") Map<String, Object> features) {}

    public static final class StateInput {
        @JsonProperty("format") private Double format;
        @JsonProperty("petri_version") private String petriVersion;
        @JsonProperty("team_id") private String teamId;
        @JsonProperty("org_id") private String orgId;
        @JsonProperty("base_url") private Object baseUrl;
        @JsonProperty("seed") private Object seed;
        @JsonProperty("behaviour_seed") private Object behaviourSeed;
        @JsonProperty("clock") private StateInputClock clock;
        @JsonProperty("birth") private StateInputBirth birth;
        @JsonProperty("settings") private StateInputSettings settings;
        @JsonProperty("tables") private Map<String, Map<String, Map<String, Object>>> tables;
        @JsonProperty("organisation") private Map<String, Map<String, Map<String, Object>>> organisation;

        public @Nullable Double format() {
            return format;
        }

        public StateInput format(double format) {
            this.format = format;
            return this;
        }

        public @Nullable String petriVersion() {
            return petriVersion;
        }

        public StateInput petriVersion(String petriVersion) {
            this.petriVersion = petriVersion;
            return this;
        }

        public @Nullable String teamId() {
            return teamId;
        }

        public StateInput teamId(String teamId) {
            this.teamId = teamId;
            return this;
        }

        public @Nullable String orgId() {
            return orgId;
        }

        public StateInput orgId(String orgId) {
            this.orgId = orgId;
            return this;
        }

        public @Nullable Object baseUrl() {
            return baseUrl;
        }

        public StateInput baseUrl(Object baseUrl) {
            this.baseUrl = baseUrl;
            return this;
        }

        public @Nullable Object seed() {
            return seed;
        }

        public StateInput seed(Object seed) {
            this.seed = seed;
            return this;
        }

        public @Nullable Object behaviourSeed() {
            return behaviourSeed;
        }

        public StateInput behaviourSeed(Object behaviourSeed) {
            this.behaviourSeed = behaviourSeed;
            return this;
        }

        public @Nullable StateInputClock clock() {
            return clock;
        }

        public StateInput clock(StateInputClock clock) {
            this.clock = clock;
            return this;
        }

        public @Nullable StateInputBirth birth() {
            return birth;
        }

        public StateInput birth(StateInputBirth birth) {
            this.birth = birth;
            return this;
        }

        public @Nullable StateInputSettings settings() {
            return settings;
        }

        public StateInput settings(StateInputSettings settings) {
            this.settings = settings;
            return this;
        }

        public @Nullable Map<String, Map<String, Map<String, Object>>> tables() {
            return tables;
        }

        public StateInput tables(Map<String, Map<String, Map<String, Object>>> tables) {
            this.tables = tables;
            return this;
        }

        public @Nullable Map<String, Map<String, Map<String, Object>>> organisation() {
            return organisation;
        }

        public StateInput organisation(Map<String, Map<String, Map<String, Object>>> organisation) {
            this.organisation = organisation;
            return this;
        }

        @Override
        public String toString() {
            return "StateInput " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class StateInputClock {
        @JsonProperty("now") private String now;
        @JsonProperty("frozen") private Boolean frozen;

        public @Nullable String now() {
            return now;
        }

        public StateInputClock now(String now) {
            this.now = now;
            return this;
        }

        public StateInputClock now(Instant now) {
            return now(now.toString());
        }

        public @Nullable Boolean frozen() {
            return frozen;
        }

        public StateInputClock frozen(boolean frozen) {
            this.frozen = frozen;
            return this;
        }

        @Override
        public String toString() {
            return "StateInputClock " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class StateInputBirth {
        @JsonProperty("frozen") private Boolean frozen;
        @JsonProperty("now") private String now;
        @JsonProperty("pace") private Double pace;
        @JsonProperty("scenario") private String scenario;
        @JsonProperty("webhook_url") private String webhookUrl;

        public @Nullable Boolean frozen() {
            return frozen;
        }

        public StateInputBirth frozen(boolean frozen) {
            this.frozen = frozen;
            return this;
        }

        public @Nullable String now() {
            return now;
        }

        public StateInputBirth now(String now) {
            this.now = now;
            return this;
        }

        public StateInputBirth now(Instant now) {
            return now(now.toString());
        }

        public @Nullable Double pace() {
            return pace;
        }

        public StateInputBirth pace(double pace) {
            this.pace = pace;
            return this;
        }

        public @Nullable String scenario() {
            return scenario;
        }

        public StateInputBirth scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        public @Nullable String webhookUrl() {
            return webhookUrl;
        }

        public StateInputBirth webhookUrl(String webhookUrl) {
            this.webhookUrl = webhookUrl;
            return this;
        }

        @Override
        public String toString() {
            return "StateInputBirth " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class StateInputSettings {
        @JsonProperty("pace") private Double pace;
        @JsonProperty("scenario") private String scenario;
        @JsonProperty("features") private FeaturePatch features;

        public @Nullable Double pace() {
            return pace;
        }

        public StateInputSettings pace(double pace) {
            this.pace = pace;
            return this;
        }

        public @Nullable String scenario() {
            return scenario;
        }

        public StateInputSettings scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        public @Nullable FeaturePatch features() {
            return features;
        }

        public StateInputSettings features(FeaturePatch features) {
            this.features = features;
            return this;
        }

        @Override
        public String toString() {
            return "StateInputSettings " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class Trigger {
        @JsonProperty("event_type") private String eventType;
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("user_id") private String userId;
        @JsonProperty("provider") private String provider;
        @JsonProperty("appointment_id") private String appointmentId;
        @JsonProperty("job_id") private String jobId;
        @JsonProperty("raw_result_id") private String rawResultId;
        @JsonProperty("quote_id") private String quoteId;
        @JsonProperty("checkout_session_id") private String checkoutSessionId;
        @JsonProperty("data") private Object data;

        public @Nullable String eventType() {
            return eventType;
        }

        public Trigger eventType(String eventType) {
            this.eventType = eventType;
            return this;
        }

        public @Nullable String orderId() {
            return orderId;
        }

        public Trigger orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable String userId() {
            return userId;
        }

        public Trigger userId(String userId) {
            this.userId = userId;
            return this;
        }

        public @Nullable String provider() {
            return provider;
        }

        public Trigger provider(String provider) {
            this.provider = provider;
            return this;
        }

        public @Nullable String appointmentId() {
            return appointmentId;
        }

        public Trigger appointmentId(String appointmentId) {
            this.appointmentId = appointmentId;
            return this;
        }

        public @Nullable String jobId() {
            return jobId;
        }

        public Trigger jobId(String jobId) {
            this.jobId = jobId;
            return this;
        }

        public @Nullable String rawResultId() {
            return rawResultId;
        }

        public Trigger rawResultId(String rawResultId) {
            this.rawResultId = rawResultId;
            return this;
        }

        public @Nullable String quoteId() {
            return quoteId;
        }

        public Trigger quoteId(String quoteId) {
            this.quoteId = quoteId;
            return this;
        }

        public @Nullable String checkoutSessionId() {
            return checkoutSessionId;
        }

        public Trigger checkoutSessionId(String checkoutSessionId) {
            this.checkoutSessionId = checkoutSessionId;
            return this;
        }

        public @Nullable Object data() {
            return data;
        }

        /** Fields that override those of the object; a list replaces the body. */
        public Trigger data(Object data) {
            this.data = data;
            return this;
        }

        @Override
        public String toString() {
            return "Trigger " + Caller.JSON.valueToTree(this);
        }
    }

    public record Triggered(
        @JsonProperty("event_id") String eventId,
        @JsonProperty("event_type") String eventType,
        @JsonProperty("made_up") boolean madeUp,
        @JsonProperty("messages") List<WebhookMessage> messages) {}

    public record Coverage(
        @JsonProperty("operations") CoverageOperations operations,
        @JsonProperty("order_statuses") CoverageOrderStatuses orderStatuses,
        @JsonProperty("event_types") CoverageEventTypes eventTypes,
        @JsonProperty("errors") CoverageErrors errors,
        @JsonProperty("unknown_paths") Map<String, Long> unknownPaths) {}

    public record CoverageOperations(
        @JsonProperty("met") List<CoverageOperationsMetItem> met,
        @JsonProperty("never") List<CoverageOperationsNeverItem> never) {}

    public record CoverageOperationsMetItem(
        @JsonProperty("id") String id,
        @JsonProperty("route") String route,
        @JsonProperty("statuses") Map<String, Long> statuses) {}

    public record CoverageOperationsNeverItem(
        @JsonProperty("id") String id,
        @JsonProperty("route") String route) {}

    public record CoverageOrderStatuses(
        @JsonProperty("met") Map<String, Long> met,
        @JsonProperty("never") List<String> never) {}

    public record CoverageEventTypes(
        @JsonProperty("met") Map<String, Long> met,
        @JsonProperty("delivered") Map<String, Long> delivered,
        @JsonProperty("never") List<String> never) {}

    public record CoverageErrors(
        @JsonProperty("met") Map<String, Long> met,
        @JsonProperty("never") List<String> never) {}

    public record EtlTarget(
        @JsonProperty("url") @Nullable String url,
        @JsonProperty("delivered") long delivered,
        @JsonProperty("waiting") long waiting,
        @JsonProperty("last_error") @Nullable String lastError) {}

    public static final class EtlTargetInput {
        @JsonProperty("url") private String url;

        public @Nullable String url() {
            return url;
        }

        public EtlTargetInput url(String url) {
            this.url = url;
            return this;
        }

        @Override
        public String toString() {
            return "EtlTargetInput " + Caller.JSON.valueToTree(this);
        }
    }

    public record ScenarioList(
        @JsonProperty("data") List<ScenarioSummary> data) {}

    public record ScenarioSummary(
        @JsonProperty("name") String name,
        @JsonProperty("kind") String kind,
        @JsonProperty("summary") String summary,
        @JsonProperty("uploaded") boolean uploaded,
        @JsonProperty("group") String group,
        @JsonProperty("error") @Nullable String error,
        @JsonProperty("method") @Nullable String method,
        @JsonProperty("zip") @Nullable String zip,
        @JsonProperty("statuses") @Nullable Map<String, List<ScenarioStatus>> statuses) {}

    /**
     * @param beforeVisitMs How long before the start of the appointment; null for a step that follows the one before it.
     */
    public record ScenarioStatus(
        @JsonProperty("status") String status,
        @JsonProperty("status_detail") @Nullable String statusDetail,
        @JsonProperty("after_ms") @Nullable Double afterMs,
        @JsonProperty("before_visit_ms") @Nullable Double beforeVisitMs) {}

    public record ScenarioView(
        @JsonProperty("name") String name,
        @JsonProperty("kind") String kind,
        @JsonProperty("summary") String summary,
        @JsonProperty("uploaded") boolean uploaded,
        @JsonProperty("group") String group,
        @JsonProperty("error") @Nullable String error,
        @JsonProperty("method") @Nullable String method,
        @JsonProperty("zip") @Nullable String zip,
        @JsonProperty("statuses") Map<String, List<ScenarioStatus>> statuses,
        @JsonProperty("steps") List<FeedMoment> steps,
        @JsonProperty("warnings") List<String> warnings,
        @JsonProperty("source") String source) {}

    public record FeedMoment(
        @JsonProperty("at_ms") double atMs,
        @JsonProperty("does") String does) {}

    public record ScenarioCheck(
        @JsonProperty("valid") boolean valid,
        @JsonProperty("name") @Nullable String name,
        @JsonProperty("kind") String kind,
        @JsonProperty("summary") @Nullable String summary,
        @JsonProperty("refusals") List<ScenarioRefusal> refusals,
        @JsonProperty("warnings") List<ScenarioRefusal> warnings,
        @JsonProperty("method") @Nullable String method,
        @JsonProperty("statuses") Map<String, List<ScenarioStatus>> statuses,
        @JsonProperty("steps") List<FeedMoment> steps) {}

    public record ScenarioRefusal(
        @JsonProperty("line") long line,
        @JsonProperty("step") @Nullable Long step,
        @JsonProperty("message") String message,
        @JsonProperty("legal") @Nullable List<String> legal) {}

    public record OrderScenario(
        @JsonProperty("order_id") String orderId,
        @JsonProperty("scenario") @Nullable String scenario,
        @JsonProperty("next") @Nullable String next,
        @JsonProperty("next_due") @Nullable String nextDue,
        @JsonProperty("waits_for") @Nullable String waitsFor,
        @JsonProperty("left_because") @Nullable String leftBecause,
        @JsonProperty("dropped") List<String> dropped,
        @JsonProperty("warning") @Nullable String warning) {}

    public static final class OrderScenarioInput {
        @JsonProperty("scenario") private String scenario;
        @JsonProperty("from") private String from;

        public @Nullable String scenario() {
            return scenario;
        }

        public OrderScenarioInput scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        public @Nullable String from() {
            return from;
        }

        public OrderScenarioInput from(String from) {
            this.from = from;
            return this;
        }

        @Override
        public String toString() {
            return "OrderScenarioInput " + Caller.JSON.valueToTree(this);
        }
    }

    public record OrderHistory(
        @JsonProperty("data") List<OrderHistoryDataItem> data) {}

    public record OrderHistoryDataItem(
        @JsonProperty("id") String id) {}

    public static final class UserScenarioInput {
        @JsonProperty("scenario") private String scenario;

        public @Nullable String scenario() {
            return scenario;
        }

        public UserScenarioInput scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        @Override
        public String toString() {
            return "UserScenarioInput " + Caller.JSON.valueToTree(this);
        }
    }

    public record UserScenario(
        @JsonProperty("user_id") String userId,
        @JsonProperty("scenario") @Nullable String scenario) {}

    public record UsualFeed(
        @JsonProperty("scenario") @Nullable String scenario) {}

    public static final class FeedInput {
        @JsonProperty("scenario") private String scenario;

        public @Nullable String scenario() {
            return scenario;
        }

        public FeedInput scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        @Override
        public String toString() {
            return "FeedInput " + Caller.JSON.valueToTree(this);
        }
    }

    public record UserFeed(
        @JsonProperty("user_id") String userId,
        @JsonProperty("scenario") @Nullable String scenario) {}

    public record ConnectionFeedView(
        @JsonProperty("user_id") String userId,
        @JsonProperty("provider") String provider,
        @JsonProperty("scenario") String scenario,
        @JsonProperty("began_at") @Nullable String beganAt,
        @JsonProperty("next") @Nullable String next,
        @JsonProperty("next_at") @Nullable String nextAt,
        @JsonProperty("without_effect") List<String> withoutEffect,
        @JsonProperty("marks") List<FeedMark> marks,
        @JsonProperty("before") List<ConnectionFeedViewBeforeItem> before) {}

    public record FeedMark(
        @JsonProperty("does") String does,
        @JsonProperty("series") @Nullable List<String> series,
        @JsonProperty("from") @Nullable String from,
        @JsonProperty("until") @Nullable String until,
        @JsonProperty("settled_at") @Nullable String settledAt) {}

    public record ConnectionFeedViewBeforeItem(
        @JsonProperty("scenario") String scenario,
        @JsonProperty("began_at") String beganAt,
        @JsonProperty("ended_at") String endedAt) {}

    public static final class ConnectionFeedInput {
        @JsonProperty("scenario") private String scenario;

        public @Nullable String scenario() {
            return scenario;
        }

        public ConnectionFeedInput scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        @Override
        public String toString() {
            return "ConnectionFeedInput " + Caller.JSON.valueToTree(this);
        }
    }

    public record UserPersona(
        @JsonProperty("user_id") String userId,
        @JsonProperty("persona") @Nullable String persona,
        @JsonProperty("begins") @Nullable String begins) {}

    public static final class UserPersonaInput {
        @JsonProperty("persona") private String persona;

        public @Nullable String persona() {
            return persona;
        }

        public UserPersonaInput persona(String persona) {
            this.persona = persona;
            return this;
        }

        @Override
        public String toString() {
            return "UserPersonaInput " + Caller.JSON.valueToTree(this);
        }
    }

    public record UserTruth(
        @JsonProperty("user_id") String userId,
        @JsonProperty("persona") @Nullable String persona,
        @JsonProperty("sex") String sex,
        @JsonProperty("birth_date") String birthDate,
        @JsonProperty("race") String race,
        @JsonProperty("ethnicity") String ethnicity,
        @JsonProperty("from") String from,
        @JsonProperty("until") String until,
        @JsonProperty("traits") Map<String, Double> traits,
        @JsonProperty("conditions") List<UserTruthConditionsItem> conditions,
        @JsonProperty("treatments") List<UserTruthTreatmentsItem> treatments,
        @JsonProperty("episodes") List<UserTruthEpisodesItem> episodes,
        @JsonProperty("cycles") List<UserTruthCyclesItem> cycles,
        @JsonProperty("life") UserTruthLife life) {}

    public record UserTruthConditionsItem(
        @JsonProperty("name") String name,
        @JsonProperty("since") String since,
        @JsonProperty("until") @Nullable String until,
        @JsonProperty("diagnosed") boolean diagnosed,
        @JsonProperty("degree") @Nullable Double degree,
        @JsonProperty("control") @Nullable Double control) {}

    public record UserTruthTreatmentsItem(
        @JsonProperty("name") String name,
        @JsonProperty("since") String since,
        @JsonProperty("until") @Nullable String until,
        @JsonProperty("share") @Nullable Double share) {}

    public record UserTruthEpisodesItem(
        @JsonProperty("name") String name,
        @JsonProperty("since") String since,
        @JsonProperty("until") String until,
        @JsonProperty("degree") double degree) {}

    public record UserTruthCyclesItem(
        @JsonProperty("begins") String begins,
        @JsonProperty("days") double days,
        @JsonProperty("ovulation") @Nullable String ovulation) {}

    public record UserTruthLife(
        @JsonProperty("pregnant_weeks") @Nullable Double pregnantWeeks,
        @JsonProperty("weeks_after_birth") @Nullable Double weeksAfterBirth,
        @JsonProperty("contraceptive_pill") boolean contraceptivePill,
        @JsonProperty("years_after_menopause") @Nullable Double yearsAfterMenopause,
        @JsonProperty("maturity") double maturity) {}

    public static final class Move {
        @JsonProperty("status") private String status;
        @JsonProperty("status_detail") private String statusDetail;
        @JsonProperty("patient") private MovePatient patient;
        @JsonProperty("shipment") private MoveShipment shipment;
        @JsonProperty("results") private MoveResults results;
        @JsonProperty("force") private Boolean force;

        public @Nullable String status() {
            return status;
        }

        public Move status(String status) {
            this.status = status;
            return this;
        }

        public @Nullable String statusDetail() {
            return statusDetail;
        }

        public Move statusDetail(String statusDetail) {
            this.statusDetail = statusDetail;
            return this;
        }

        public @Nullable MovePatient patient() {
            return patient;
        }

        /** Who registers the kit; what is omitted is that of the user. */
        public Move patient(MovePatient patient) {
            this.patient = patient;
            return this;
        }

        public @Nullable MoveShipment shipment() {
            return shipment;
        }

        public Move shipment(MoveShipment shipment) {
            this.shipment = shipment;
            return this;
        }

        public @Nullable MoveResults results() {
            return results;
        }

        public Move results(MoveResults results) {
            this.results = results;
            return this;
        }

        public @Nullable Boolean force() {
            return force;
        }

        public Move force(boolean force) {
            this.force = force;
            return this;
        }

        @Override
        public String toString() {
            return "Move " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class MovePatient {
        @JsonProperty("first_name") private String firstName;
        @JsonProperty("last_name") private String lastName;
        @JsonProperty("dob") private String dob;
        @JsonProperty("gender") private String gender;
        @JsonProperty("phone_number") private String phoneNumber;
        @JsonProperty("email") private String email;

        public @Nullable String firstName() {
            return firstName;
        }

        public MovePatient firstName(String firstName) {
            this.firstName = firstName;
            return this;
        }

        public @Nullable String lastName() {
            return lastName;
        }

        public MovePatient lastName(String lastName) {
            this.lastName = lastName;
            return this;
        }

        public @Nullable String dob() {
            return dob;
        }

        public MovePatient dob(String dob) {
            this.dob = dob;
            return this;
        }

        public @Nullable String gender() {
            return gender;
        }

        public MovePatient gender(String gender) {
            this.gender = gender;
            return this;
        }

        public @Nullable String phoneNumber() {
            return phoneNumber;
        }

        public MovePatient phoneNumber(String phoneNumber) {
            this.phoneNumber = phoneNumber;
            return this;
        }

        public @Nullable String email() {
            return email;
        }

        public MovePatient email(String email) {
            this.email = email;
            return this;
        }

        @Override
        public String toString() {
            return "MovePatient " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class MoveShipment {
        @JsonProperty("outbound_courier") private String outboundCourier;
        @JsonProperty("inbound_courier") private String inboundCourier;
        @JsonProperty("outbound_tracking_number") private String outboundTrackingNumber;
        @JsonProperty("inbound_tracking_number") private String inboundTrackingNumber;
        @JsonProperty("notes") private String notes;

        public @Nullable String outboundCourier() {
            return outboundCourier;
        }

        public MoveShipment outboundCourier(String outboundCourier) {
            this.outboundCourier = outboundCourier;
            return this;
        }

        public @Nullable String inboundCourier() {
            return inboundCourier;
        }

        public MoveShipment inboundCourier(String inboundCourier) {
            this.inboundCourier = inboundCourier;
            return this;
        }

        public @Nullable String outboundTrackingNumber() {
            return outboundTrackingNumber;
        }

        public MoveShipment outboundTrackingNumber(String outboundTrackingNumber) {
            this.outboundTrackingNumber = outboundTrackingNumber;
            return this;
        }

        public @Nullable String inboundTrackingNumber() {
            return inboundTrackingNumber;
        }

        public MoveShipment inboundTrackingNumber(String inboundTrackingNumber) {
            this.inboundTrackingNumber = inboundTrackingNumber;
            return this;
        }

        public @Nullable String notes() {
            return notes;
        }

        public MoveShipment notes(String notes) {
            this.notes = notes;
            return this;
        }

        @Override
        public String toString() {
            return "MoveShipment " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class MoveResults {
        @JsonProperty("interpretation") private String interpretation;
        @JsonProperty("missing") private Object missing;
        @JsonProperty("types") private List<String> types;
        @JsonProperty("values") private Map<String, Object> values;
        @JsonProperty("comment") private String comment;
        @JsonProperty("pdf") private String pdf;

        public @Nullable String interpretation() {
            return interpretation;
        }

        public MoveResults interpretation(String interpretation) {
            this.interpretation = interpretation;
            return this;
        }

        public @Nullable Object missing() {
            return missing;
        }

        public MoveResults missing(Object missing) {
            this.missing = missing;
            return this;
        }

        public @Nullable List<String> types() {
            return types;
        }

        public MoveResults types(List<String> types) {
            this.types = types;
            return this;
        }

        public @Nullable Map<String, Object> values() {
            return values;
        }

        /** Values by slug, LOINC or provider code; a text for a result in words. */
        public MoveResults values(Map<String, Object> values) {
            this.values = values;
            return this;
        }

        public @Nullable String comment() {
            return comment;
        }

        /** A comment of the laboratory on these results; on all without values. */
        public MoveResults comment(String comment) {
            this.comment = comment;
            return this;
        }

        public @Nullable String pdf() {
            return pdf;
        }

        /** The PDF to serve instead of the generated one, in Base64. */
        public MoveResults pdf(String pdf) {
            this.pdf = pdf;
            return this;
        }

        @Override
        public String toString() {
            return "MoveResults " + Caller.JSON.valueToTree(this);
        }
    }

    public record Board(
        @JsonProperty("data") List<BoardRow> data,
        @JsonProperty("total") long total,
        @JsonProperty("next_cursor") @Nullable String nextCursor,
        @JsonProperty("counts") Map<String, Long> counts,
        @JsonProperty("attention") Attention attention) {}

    public record BoardRow(
        @JsonProperty("id") String id,
        @JsonProperty("user_id") String userId,
        @JsonProperty("patient") @Nullable String patient,
        @JsonProperty("recipient") @Nullable String recipient,
        @JsonProperty("lab_test") String labTest,
        @JsonProperty("method") String method,
        @JsonProperty("status") String status,
        @JsonProperty("has_missing_results") boolean hasMissingResults,
        @JsonProperty("interpretation") @Nullable String interpretation,
        @JsonProperty("since") String since,
        @JsonProperty("scenario") @Nullable String scenario,
        @JsonProperty("next") @Nullable String next,
        @JsonProperty("next_due") @Nullable String nextDue,
        @JsonProperty("waits_for") @Nullable String waitsFor) {}

    public record Attention(
        @JsonProperty("failing_messages") long failingMessages,
        @JsonProperty("refused_requests") long refusedRequests,
        @JsonProperty("requests_with_ignored_fields") long requestsWithIgnoredFields,
        @JsonProperty("critical_results") long criticalResults,
        @JsonProperty("waiting_for_registration") long waitingForRegistration) {}

    public static final class OrderPlacing {
        @JsonProperty("id") private String id;
        @JsonProperty("scenario") private String scenario;
        @JsonProperty("method") private String method;
        @JsonProperty("registrable") private Boolean registrable;
        @JsonProperty("redraw") private Boolean redraw;
        @JsonProperty("user_id") private String userId;
        @JsonProperty("lab_test_id") private String labTestId;
        @JsonProperty("zip") private String zip;
        @JsonProperty("status") private String status;
        @JsonProperty("announce") private Boolean announce;

        public @Nullable String id() {
            return id;
        }

        /** The id of the order; a new one if omitted. */
        public OrderPlacing id(String id) {
            this.id = id;
            return this;
        }

        public @Nullable String scenario() {
            return scenario;
        }

        /** The scenario it follows; the default scenario if omitted. */
        public OrderPlacing scenario(String scenario) {
            this.scenario = scenario;
            return this;
        }

        public @Nullable String method() {
            return method;
        }

        /** The collection method; that of the scenario if omitted, otherwise testkit. */
        public OrderPlacing method(String method) {
            this.method = method;
            return this;
        }

        public @Nullable Boolean registrable() {
            return registrable;
        }

        /** A test kit that a patient registers later. */
        public OrderPlacing registrable(boolean registrable) {
            this.registrable = registrable;
            return this;
        }

        public @Nullable Boolean redraw() {
            return redraw;
        }

        /** The redraw of an initial order, all of whose results are missing; needs the feature redraws. */
        public OrderPlacing redraw(boolean redraw) {
            this.redraw = redraw;
            return this;
        }

        public @Nullable String userId() {
            return userId;
        }

        /** The user; a new user if omitted. */
        public OrderPlacing userId(String userId) {
            this.userId = userId;
            return this;
        }

        public @Nullable String labTestId() {
            return labTestId;
        }

        /** The lab test; one of the method if omitted. */
        public OrderPlacing labTestId(String labTestId) {
            this.labTestId = labTestId;
            return this;
        }

        public @Nullable String zip() {
            return zip;
        }

        /** ZIP code of the patient; 00100 to 00499 pick a scenario. */
        public OrderPlacing zip(String zip) {
            this.zip = zip;
            return this;
        }

        public @Nullable String status() {
            return status;
        }

        /** The status it has at once, by legal steps; it then follows no scenario. */
        public OrderPlacing status(String status) {
            this.status = status;
            return this;
        }

        public @Nullable Boolean announce() {
            return announce;
        }

        /** Whether the events on the way are sent. */
        public OrderPlacing announce(boolean announce) {
            this.announce = announce;
            return this;
        }

        @Override
        public String toString() {
            return "OrderPlacing " + Caller.JSON.valueToTree(this);
        }
    }

    /**
     * @param scenario The scenario it follows.
     * @param warning Why its scenario does not move the order at all, which of its results the order cannot have, or why its ZIP code selects no scenario.
     */
    public record PlacedOrder(
        @JsonProperty("user_id") String userId,
        @JsonProperty("id") String id,
        @JsonProperty("team_id") String teamId,
        @JsonProperty("patient_details") PatientDetails patientDetails,
        @JsonProperty("patient_address") PatientAddress patientAddress,
        @JsonProperty("lab_test") OrderedLabTest labTest,
        @JsonProperty("details") Object details,
        @JsonProperty("sample_id") @Nullable String sampleId,
        @JsonProperty("notes") @Nullable String notes,
        @JsonProperty("clinical_notes") @Nullable String clinicalNotes,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("updated_at") String updatedAt,
        @JsonProperty("events") List<OrderEvent> events,
        @JsonProperty("status") @Nullable String status,
        @JsonProperty("last_event") OrderEvent lastEvent,
        @JsonProperty("physician") Physician physician,
        @JsonProperty("health_insurance_id") @Nullable String healthInsuranceId,
        @JsonProperty("health_insurace_id") @Nullable String healthInsuraceId,
        @JsonProperty("requisition_form_url") @Nullable String requisitionFormUrl,
        @JsonProperty("priority") boolean priority,
        @JsonProperty("shipping_details") ShippingDetails shippingDetails,
        @JsonProperty("activate_by") @Nullable String activateBy,
        @JsonProperty("passthrough") @Nullable String passthrough,
        @JsonProperty("billing_type") String billingType,
        @JsonProperty("icd_codes") @Nullable List<String> icdCodes,
        @JsonProperty("has_abn") boolean hasAbn,
        @JsonProperty("interpretation") @Nullable String interpretation,
        @JsonProperty("has_missing_results") @Nullable Boolean hasMissingResults,
        @JsonProperty("expected_result_by_date") @Nullable String expectedResultByDate,
        @JsonProperty("worst_case_result_by_date") @Nullable String worstCaseResultByDate,
        @JsonProperty("origin") @Nullable String origin,
        @JsonProperty("order_transaction") OrderTransaction orderTransaction,
        @JsonProperty("lab_account_id") @Nullable String labAccountId,
        @JsonProperty("scenario") @Nullable String scenario,
        @JsonProperty("warning") @Nullable String warning) {}

    public record OrderLife(
        @JsonProperty("order") Order order,
        @JsonProperty("explanation") Explanation explanation,
        @JsonProperty("workflow") String workflow,
        @JsonProperty("legal") List<String> legal,
        @JsonProperty("planned") List<PlannedStatus> planned,
        @JsonProperty("scenario") OrderScenario scenario,
        @JsonProperty("agenda") List<AgendaItem> agenda,
        @JsonProperty("messages") OrderLifeMessages messages,
        @JsonProperty("request_ids") List<String> requestIds,
        @JsonProperty("documents") List<OrderDocument> documents) {}

    public record Explanation(
        @JsonProperty("sentence") String sentence,
        @JsonProperty("lines") List<String> lines,
        @JsonProperty("actions") List<OrderAction> actions) {}

    public record OrderAction(
        @JsonProperty("kind") String kind,
        @JsonProperty("label") String label,
        @JsonProperty("method") String method,
        @JsonProperty("path") String path,
        @JsonProperty("body") @Nullable Map<String, Object> body,
        @JsonProperty("command") String command) {}

    public record PlannedStatus(
        @JsonProperty("status") String status,
        @JsonProperty("status_detail") @Nullable String statusDetail,
        @JsonProperty("due") @Nullable String due,
        @JsonProperty("waits_for") @Nullable String waitsFor) {}

    public record OrderLifeMessages(
        @JsonProperty("total") long total,
        @JsonProperty("delivered") long delivered,
        @JsonProperty("pending") long pending,
        @JsonProperty("failed") long failed,
        @JsonProperty("last_error") @Nullable String lastError) {}

    public record OrderDocument(
        @JsonProperty("name") String name,
        @JsonProperty("path") String path,
        @JsonProperty("available") boolean available) {}

    public record Appointment(
        @JsonProperty("id") String id,
        @JsonProperty("user_id") String userId,
        @JsonProperty("order_id") String orderId,
        @JsonProperty("order_transaction_id") @Nullable String orderTransactionId,
        @JsonProperty("address") USAddress address,
        @JsonProperty("location") LngLat location,
        @JsonProperty("start_at") @Nullable String startAt,
        @JsonProperty("end_at") @Nullable String endAt,
        @JsonProperty("iana_timezone") @Nullable String ianaTimezone,
        @JsonProperty("type") String type,
        @JsonProperty("provider") String provider,
        @JsonProperty("status") String status,
        @JsonProperty("provider_id") String providerId,
        @JsonProperty("external_id") @Nullable String externalId,
        @JsonProperty("can_reschedule") boolean canReschedule,
        @JsonProperty("appointment_notes") @Nullable String appointmentNotes,
        @JsonProperty("event_status") String eventStatus,
        @JsonProperty("event_data") @Nullable Map<String, Object> eventData,
        @JsonProperty("events") List<ClientFacingAppointmentEvent> events) {}

    public record USAddress(
        @JsonProperty("first_line") String firstLine,
        @JsonProperty("second_line") @Nullable String secondLine,
        @JsonProperty("city") String city,
        @JsonProperty("state") String state,
        @JsonProperty("zip_code") String zipCode,
        @JsonProperty("country") String country,
        @JsonProperty("unit") @Nullable String unit,
        @JsonProperty("access_notes") @Nullable String accessNotes) {}

    public record LngLat(
        @JsonProperty("lng") double lng,
        @JsonProperty("lat") double lat) {}

    public record ClientFacingAppointmentEvent(
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("status") String status,
        @JsonProperty("data") @Nullable Map<String, Object> data) {}

    public static final class ExactResults {
        @JsonProperty("values") private Map<String, Object> values;
        @JsonProperty("comment") private String comment;
        @JsonProperty("pdf") private String pdf;

        public @Nullable Map<String, Object> values() {
            return values;
        }

        /** Values by slug, LOINC or provider code; a text for a result in words. */
        public ExactResults values(Map<String, Object> values) {
            this.values = values;
            return this;
        }

        public @Nullable String comment() {
            return comment;
        }

        /** A comment of the laboratory on these results; on all without values. */
        public ExactResults comment(String comment) {
            this.comment = comment;
            return this;
        }

        public @Nullable String pdf() {
            return pdf;
        }

        /** The PDF to serve instead of the generated one, in Base64. */
        public ExactResults pdf(String pdf) {
            this.pdf = pdf;
            return this;
        }

        @Override
        public String toString() {
            return "ExactResults " + Caller.JSON.valueToTree(this);
        }
    }

    public record ResultsPut(
        @JsonProperty("order_id") String orderId,
        @JsonProperty("status") String status,
        @JsonProperty("applied") boolean applied) {}

    public record CheckoutSessions(
        @JsonProperty("data") List<CheckoutSessionsDataItem> data,
        @JsonProperty("next_cursor") @Nullable String nextCursor) {}

    public record CheckoutSessionsDataItem(
        @JsonProperty("checkout_session_id") String checkoutSessionId,
        @JsonProperty("status") String status,
        @JsonProperty("pay_before") String payBefore,
        @JsonProperty("payment_resource_id") @Nullable String paymentResourceId,
        @JsonProperty("order_id") @Nullable String orderId,
        @JsonProperty("order_transaction_id") @Nullable String orderTransactionId,
        @JsonProperty("appointment_hold_status") @Nullable String appointmentHoldStatus,
        @JsonProperty("appointment_id") @Nullable String appointmentId,
        @JsonProperty("payment_resource_url") @Nullable String paymentResourceUrl,
        @JsonProperty("payment_resource_client_secret") @Nullable String paymentResourceClientSecret,
        @JsonProperty("user_id") String userId,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("quote") CheckoutQuote quote) {}

    public record CheckoutQuote(
        @JsonProperty("id") String id,
        @JsonProperty("parent_id") @Nullable String parentId,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("expires_at") String expiresAt,
        @JsonProperty("modality") String modality,
        @JsonProperty("priority") boolean priority,
        @JsonProperty("us_state") String usState,
        @JsonProperty("order_set") QuotedOrderSet orderSet,
        @JsonProperty("walk_in_collection_networks") List<String> walkInCollectionNetworks,
        @JsonProperty("line_items") List<CheckoutQuoteLineItemsItem> lineItems) {}

    public record QuotedOrderSet(
        @JsonProperty("lab_test_ids") @Nullable List<String> labTestIds,
        @JsonProperty("add_on") @Nullable QuotedAddOn addOn,
        @JsonProperty("lab_account_id") @Nullable String labAccountId,
        @JsonProperty("parameters") @Nullable QuotedOrderSetParameters parameters) {}

    public record QuotedAddOn(
        @JsonProperty("marker_ids") @Nullable List<Long> markerIds,
        @JsonProperty("provider_ids") @Nullable List<String> providerIds) {}

    public record QuotedOrderSetParameters(
        @JsonProperty("fasting") @Nullable String fasting) {}

    public record CheckoutQuoteLineItemsItem(
        @JsonProperty("code") String code,
        @JsonProperty("amount_minor") long amountMinor,
        @JsonProperty("currency") String currency) {}

    public static final class Payment {
        @JsonProperty("outcome") private String outcome;

        public @Nullable String outcome() {
            return outcome;
        }

        /** `paid`, unless the e-mail address of the patient is a magic one. */
        public Payment outcome(String outcome) {
            this.outcome = outcome;
            return this;
        }

        @Override
        public String toString() {
            return "Payment " + Caller.JSON.valueToTree(this);
        }
    }

    public record CheckoutSession(
        @JsonProperty("checkout_session_id") String checkoutSessionId,
        @JsonProperty("status") String status,
        @JsonProperty("pay_before") String payBefore,
        @JsonProperty("payment_resource_id") @Nullable String paymentResourceId,
        @JsonProperty("order_id") @Nullable String orderId,
        @JsonProperty("order_transaction_id") @Nullable String orderTransactionId,
        @JsonProperty("appointment_hold_status") @Nullable String appointmentHoldStatus,
        @JsonProperty("appointment_id") @Nullable String appointmentId,
        @JsonProperty("payment_resource_url") @Nullable String paymentResourceUrl,
        @JsonProperty("payment_resource_client_secret") @Nullable String paymentResourceClientSecret) {}

    public static final class UserCreation {
        @JsonProperty("client_user_id") private String clientUserId;
        @JsonProperty("fallback_time_zone") private String fallbackTimeZone;
        @JsonProperty("fallback_birth_date") private String fallbackBirthDate;
        @JsonProperty("ingestion_start") private String ingestionStart;
        @JsonProperty("ingestion_end") private String ingestionEnd;
        @JsonProperty("user_id") private String userId;
        @JsonProperty("persona") private String persona;

        public @Nullable String clientUserId() {
            return clientUserId;
        }

        /** The next free user-N if omitted. */
        public UserCreation clientUserId(String clientUserId) {
            this.clientUserId = clientUserId;
            return this;
        }

        public @Nullable String fallbackTimeZone() {
            return fallbackTimeZone;
        }

        public UserCreation fallbackTimeZone(String fallbackTimeZone) {
            this.fallbackTimeZone = fallbackTimeZone;
            return this;
        }

        public @Nullable String fallbackBirthDate() {
            return fallbackBirthDate;
        }

        public UserCreation fallbackBirthDate(String fallbackBirthDate) {
            this.fallbackBirthDate = fallbackBirthDate;
            return this;
        }

        public @Nullable String ingestionStart() {
            return ingestionStart;
        }

        public UserCreation ingestionStart(String ingestionStart) {
            this.ingestionStart = ingestionStart;
            return this;
        }

        public @Nullable String ingestionEnd() {
            return ingestionEnd;
        }

        public UserCreation ingestionEnd(String ingestionEnd) {
            this.ingestionEnd = ingestionEnd;
            return this;
        }

        public @Nullable String userId() {
            return userId;
        }

        /** Its id; a new one if omitted. */
        public UserCreation userId(String userId) {
            this.userId = userId;
            return this;
        }

        public @Nullable String persona() {
            return persona;
        }

        /** Who it is; the person that follows from the seed if omitted. */
        public UserCreation persona(String persona) {
            this.persona = persona;
            return this;
        }

        @Override
        public String toString() {
            return "UserCreation " + Caller.JSON.valueToTree(this);
        }
    }

    public record User(
        @JsonProperty("user_id") String userId,
        @JsonProperty("team_id") String teamId,
        @JsonProperty("client_user_id") String clientUserId,
        @JsonProperty("created_on") String createdOn,
        @JsonProperty("connected_sources") List<ConnectedSource> connectedSources,
        @JsonProperty("fallback_time_zone") @Nullable FallbackTimeZone fallbackTimeZone,
        @JsonProperty("fallback_birth_date") @Nullable FallbackBirthDate fallbackBirthDate,
        @JsonProperty("ingestion_start") @Nullable String ingestionStart,
        @JsonProperty("ingestion_end") @Nullable String ingestionEnd) {}

    public record ConnectedSource(
        @JsonProperty("provider") ProviderName provider,
        @JsonProperty("created_on") String createdOn,
        @JsonProperty("source") ProviderName source) {}

    public record ProviderName(
        @JsonProperty("name") String name,
        @JsonProperty("slug") String slug,
        @JsonProperty("logo") String logo) {}

    public record FallbackTimeZone(
        @JsonProperty("id") String id,
        @JsonProperty("source_slug") String sourceSlug,
        @JsonProperty("updated_at") String updatedAt) {}

    public record FallbackBirthDate(
        @JsonProperty("value") String value,
        @JsonProperty("source_slug") String sourceSlug,
        @JsonProperty("updated_at") String updatedAt) {}

    public record UserSummaries(
        @JsonProperty("data") List<UserSummary> data,
        @JsonProperty("total") long total) {}

    /**
     * @param scenario The scenario of the user's next orders; null if it is that of the world.
     */
    public record UserSummary(
        @JsonProperty("user_id") String userId,
        @JsonProperty("client_user_id") String clientUserId,
        @JsonProperty("name") @Nullable String name,
        @JsonProperty("created_on") String createdOn,
        @JsonProperty("providers") List<String> providers,
        @JsonProperty("orders") long orders,
        @JsonProperty("scenario") @Nullable String scenario) {}

    public record FhirUser(
        @JsonProperty("resourceType") String resourceType,
        @JsonProperty("type") String type,
        @JsonProperty("timestamp") String timestamp,
        @JsonProperty("entry") List<FhirUserEntryItem> entry) {}

    public record FhirUserEntryItem(
        @JsonProperty("fullUrl") String fullUrl,
        @JsonProperty("resource") Object resource) {}

    public static final class LabTestCreation {
        @JsonProperty("marker_ids") private List<Long> markerIds;
        @JsonProperty("provider_ids") private List<String> providerIds;
        @JsonProperty("name") private String name;
        @JsonProperty("method") private String method;
        @JsonProperty("description") private String description;
        @JsonProperty("fasting") private Boolean fasting;
        @JsonProperty("lab_account_id") private String labAccountId;
        @JsonProperty("lab_slug") private String labSlug;
        @JsonProperty("source_sandbox_lab_test_id") private String sourceSandboxLabTestId;
        @JsonProperty("id") private String id;

        public @Nullable List<Long> markerIds() {
            return markerIds;
        }

        public LabTestCreation markerIds(List<Long> markerIds) {
            this.markerIds = markerIds;
            return this;
        }

        public @Nullable List<String> providerIds() {
            return providerIds;
        }

        public LabTestCreation providerIds(List<String> providerIds) {
            this.providerIds = providerIds;
            return this;
        }

        public @Nullable String name() {
            return name;
        }

        public LabTestCreation name(String name) {
            this.name = name;
            return this;
        }

        public @Nullable String method() {
            return method;
        }

        public LabTestCreation method(String method) {
            this.method = method;
            return this;
        }

        public @Nullable String description() {
            return description;
        }

        public LabTestCreation description(String description) {
            this.description = description;
            return this;
        }

        public @Nullable Boolean fasting() {
            return fasting;
        }

        public LabTestCreation fasting(boolean fasting) {
            this.fasting = fasting;
            return this;
        }

        public @Nullable String labAccountId() {
            return labAccountId;
        }

        public LabTestCreation labAccountId(String labAccountId) {
            this.labAccountId = labAccountId;
            return this;
        }

        public @Nullable String labSlug() {
            return labSlug;
        }

        public LabTestCreation labSlug(String labSlug) {
            this.labSlug = labSlug;
            return this;
        }

        public @Nullable String sourceSandboxLabTestId() {
            return sourceSandboxLabTestId;
        }

        public LabTestCreation sourceSandboxLabTestId(String sourceSandboxLabTestId) {
            this.sourceSandboxLabTestId = sourceSandboxLabTestId;
            return this;
        }

        public @Nullable String id() {
            return id;
        }

        /** Its id; a new one if omitted. */
        public LabTestCreation id(String id) {
            this.id = id;
            return this;
        }

        @Override
        public String toString() {
            return "LabTestCreation " + Caller.JSON.valueToTree(this);
        }
    }

    public record LabTest(
        @JsonProperty("id") String id,
        @JsonProperty("slug") String slug,
        @JsonProperty("name") String name,
        @JsonProperty("sample_type") String sampleType,
        @JsonProperty("method") String method,
        @JsonProperty("price") double price,
        @JsonProperty("is_active") boolean isActive,
        @JsonProperty("status") String status,
        @JsonProperty("fasting") boolean fasting,
        @JsonProperty("lab") Lab lab,
        @JsonProperty("markers") @Nullable List<Marker> markers,
        @JsonProperty("is_delegated") boolean isDelegated,
        @JsonProperty("auto_generated") boolean autoGenerated,
        @JsonProperty("source_sandbox_lab_test_id") @Nullable String sourceSandboxLabTestId,
        @JsonProperty("has_collection_instructions") @Nullable Boolean hasCollectionInstructions,
        @JsonProperty("common_tat_days") @Nullable Long commonTatDays,
        @JsonProperty("worst_case_tat_days") @Nullable Long worstCaseTatDays) {}

    public static final class UserData {
        @JsonProperty("resource") private String resource;
        @JsonProperty("provider") private String provider;
        @JsonProperty("source_type") private String sourceType;
        @JsonProperty("samples") private List<Map<String, Object>> samples;
        @JsonProperty("summary") private Map<String, Object> summary;

        public @Nullable String resource() {
            return resource;
        }

        public UserData resource(String resource) {
            this.resource = resource;
            return this;
        }

        public @Nullable String provider() {
            return provider;
        }

        public UserData provider(String provider) {
            this.provider = provider;
            return this;
        }

        public @Nullable String sourceType() {
            return sourceType;
        }

        public UserData sourceType(String sourceType) {
            this.sourceType = sourceType;
            return this;
        }

        public @Nullable List<Map<String, Object>> samples() {
            return samples;
        }

        public UserData samples(List<Map<String, Object>> samples) {
            this.samples = samples;
            return this;
        }

        public @Nullable Map<String, Object> summary() {
            return summary;
        }

        public UserData summary(Map<String, Object> summary) {
            this.summary = summary;
            return this;
        }

        @Override
        public String toString() {
            return "UserData " + Caller.JSON.valueToTree(this);
        }
    }

    public record UserDataKept(
        @JsonProperty("resource") String resource,
        @JsonProperty("created") long created,
        @JsonProperty("updated") long updated,
        @JsonProperty("id") @Nullable String id,
        @JsonProperty("event_types") List<String> eventTypes) {}

    public record MobileState(
        @JsonProperty("sessions") long sessions,
        @JsonProperty("syncs") List<MobileStateSyncsItem> syncs) {}

    public record MobileStateSyncsItem(
        @JsonProperty("provider") String provider,
        @JsonProperty("status") String status,
        @JsonProperty("uploads") List<MobileStateSyncsItemUploadsItem> uploads,
        @JsonProperty("stages") List<MobileStateSyncsItemStagesItem> stages,
        @JsonProperty("report") @Nullable Map<String, Object> report,
        @JsonProperty("reported_at") @Nullable String reportedAt) {}

    public record MobileStateSyncsItemUploadsItem(
        @JsonProperty("resource") String resource,
        @JsonProperty("items") long items,
        @JsonProperty("last_at") String lastAt) {}

    public record MobileStateSyncsItemStagesItem(
        @JsonProperty("resource") String resource,
        @JsonProperty("range_start") String rangeStart,
        @JsonProperty("range_end") String rangeEnd,
        @JsonProperty("started_at") String startedAt,
        @JsonProperty("ended_at") @Nullable String endedAt) {}

    public record MobileSessionsRevoked(
        @JsonProperty("revoked") long revoked) {}

    public static final class WebhookMessagesListQuery {
        @JsonProperty("event_type") private String eventType;
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("user_id") private String userId;
        @JsonProperty("endpoint_id") private String endpointId;
        @JsonProperty("status") private String status;
        @JsonProperty("q") private String q;
        @JsonProperty("fields") private String fields;
        @JsonProperty("order") private String order;
        @JsonProperty("limit") private Long limit;
        @JsonProperty("cursor") private String cursor;

        public @Nullable String eventType() {
            return eventType;
        }

        public WebhookMessagesListQuery eventType(String eventType) {
            this.eventType = eventType;
            return this;
        }

        public @Nullable String orderId() {
            return orderId;
        }

        public WebhookMessagesListQuery orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable String userId() {
            return userId;
        }

        public WebhookMessagesListQuery userId(String userId) {
            this.userId = userId;
            return this;
        }

        public @Nullable String endpointId() {
            return endpointId;
        }

        public WebhookMessagesListQuery endpointId(String endpointId) {
            this.endpointId = endpointId;
            return this;
        }

        public @Nullable String status() {
            return status;
        }

        public WebhookMessagesListQuery status(String status) {
            this.status = status;
            return this;
        }

        public @Nullable String q() {
            return q;
        }

        public WebhookMessagesListQuery q(String q) {
            this.q = q;
            return this;
        }

        public @Nullable String fields() {
            return fields;
        }

        public WebhookMessagesListQuery fields(String fields) {
            this.fields = fields;
            return this;
        }

        public @Nullable String order() {
            return order;
        }

        public WebhookMessagesListQuery order(String order) {
            this.order = order;
            return this;
        }

        public @Nullable Long limit() {
            return limit;
        }

        public WebhookMessagesListQuery limit(long limit) {
            this.limit = limit;
            return this;
        }

        public @Nullable String cursor() {
            return cursor;
        }

        public WebhookMessagesListQuery cursor(String cursor) {
            this.cursor = cursor;
            return this;
        }

        @Override
        public String toString() {
            return "WebhookMessagesListQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class WebhookFaultsGetQuery {
        @JsonProperty("endpoint_id") private String endpointId;

        public @Nullable String endpointId() {
            return endpointId;
        }

        public WebhookFaultsGetQuery endpointId(String endpointId) {
            this.endpointId = endpointId;
            return this;
        }

        @Override
        public String toString() {
            return "WebhookFaultsGetQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class WebhookFaultsDeleteQuery {
        @JsonProperty("endpoint_id") private String endpointId;

        public @Nullable String endpointId() {
            return endpointId;
        }

        public WebhookFaultsDeleteQuery endpointId(String endpointId) {
            this.endpointId = endpointId;
            return this;
        }

        @Override
        public String toString() {
            return "WebhookFaultsDeleteQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class AgendaQuery {
        @JsonProperty("subject") private String subject;
        @JsonProperty("limit") private Long limit;

        public @Nullable String subject() {
            return subject;
        }

        public AgendaQuery subject(String subject) {
            this.subject = subject;
            return this;
        }

        public @Nullable Long limit() {
            return limit;
        }

        public AgendaQuery limit(long limit) {
            this.limit = limit;
            return this;
        }

        @Override
        public String toString() {
            return "AgendaQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class IdsQuery {
        @JsonProperty("kind") private String kind;
        @JsonProperty("prefix") private String prefix;

        public @Nullable String kind() {
            return kind;
        }

        public IdsQuery kind(String kind) {
            this.kind = kind;
            return this;
        }

        public @Nullable String prefix() {
            return prefix;
        }

        public IdsQuery prefix(String prefix) {
            this.prefix = prefix;
            return this;
        }

        @Override
        public String toString() {
            return "IdsQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class RequestsListQuery {
        @JsonProperty("operation") private String operation;
        @JsonProperty("status") private String status;
        @JsonProperty("method") private String method;
        @JsonProperty("path") private String path;
        @JsonProperty("since") private String since;
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("user_id") private String userId;
        @JsonProperty("q") private String q;
        @JsonProperty("ignored") private Boolean ignored;
        @JsonProperty("order") private String order;
        @JsonProperty("limit") private Long limit;
        @JsonProperty("cursor") private String cursor;

        public @Nullable String operation() {
            return operation;
        }

        public RequestsListQuery operation(String operation) {
            this.operation = operation;
            return this;
        }

        public @Nullable String status() {
            return status;
        }

        public RequestsListQuery status(String status) {
            this.status = status;
            return this;
        }

        public @Nullable String method() {
            return method;
        }

        public RequestsListQuery method(String method) {
            this.method = method;
            return this;
        }

        public @Nullable String path() {
            return path;
        }

        public RequestsListQuery path(String path) {
            this.path = path;
            return this;
        }

        public @Nullable String since() {
            return since;
        }

        public RequestsListQuery since(String since) {
            this.since = since;
            return this;
        }

        public RequestsListQuery since(Instant since) {
            return since(since.toString());
        }

        public @Nullable String orderId() {
            return orderId;
        }

        public RequestsListQuery orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable String userId() {
            return userId;
        }

        public RequestsListQuery userId(String userId) {
            this.userId = userId;
            return this;
        }

        public @Nullable String q() {
            return q;
        }

        public RequestsListQuery q(String q) {
            this.q = q;
            return this;
        }

        public @Nullable Boolean ignored() {
            return ignored;
        }

        public RequestsListQuery ignored(boolean ignored) {
            this.ignored = ignored;
            return this;
        }

        public @Nullable String order() {
            return order;
        }

        public RequestsListQuery order(String order) {
            this.order = order;
            return this;
        }

        public @Nullable Long limit() {
            return limit;
        }

        public RequestsListQuery limit(long limit) {
            this.limit = limit;
            return this;
        }

        public @Nullable String cursor() {
            return cursor;
        }

        public RequestsListQuery cursor(String cursor) {
            this.cursor = cursor;
            return this;
        }

        @Override
        public String toString() {
            return "RequestsListQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class ScenariosListQuery {
        @JsonProperty("kind") private String kind;
        @JsonProperty("statuses") private Boolean statuses;

        public @Nullable String kind() {
            return kind;
        }

        public ScenariosListQuery kind(String kind) {
            this.kind = kind;
            return this;
        }

        public @Nullable Boolean statuses() {
            return statuses;
        }

        public ScenariosListQuery statuses(boolean statuses) {
            this.statuses = statuses;
            return this;
        }

        @Override
        public String toString() {
            return "ScenariosListQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class ScenariosPutQuery {
        @JsonProperty("all_worlds") private Boolean allWorlds;

        public @Nullable Boolean allWorlds() {
            return allWorlds;
        }

        public ScenariosPutQuery allWorlds(boolean allWorlds) {
            this.allWorlds = allWorlds;
            return this;
        }

        @Override
        public String toString() {
            return "ScenariosPutQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class UsersTruthQuery {
        @JsonProperty("from") private String from;
        @JsonProperty("until") private String until;

        public @Nullable String from() {
            return from;
        }

        public UsersTruthQuery from(String from) {
            this.from = from;
            return this;
        }

        public @Nullable String until() {
            return until;
        }

        public UsersTruthQuery until(String until) {
            this.until = until;
            return this;
        }

        @Override
        public String toString() {
            return "UsersTruthQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class OrdersListQuery {
        @JsonProperty("status") private String status;
        @JsonProperty("method") private String method;
        @JsonProperty("interpretation") private String interpretation;
        @JsonProperty("search") private String search;
        @JsonProperty("limit") private Long limit;
        @JsonProperty("cursor") private String cursor;

        public @Nullable String status() {
            return status;
        }

        public OrdersListQuery status(String status) {
            this.status = status;
            return this;
        }

        public @Nullable String method() {
            return method;
        }

        public OrdersListQuery method(String method) {
            this.method = method;
            return this;
        }

        public @Nullable String interpretation() {
            return interpretation;
        }

        public OrdersListQuery interpretation(String interpretation) {
            this.interpretation = interpretation;
            return this;
        }

        public @Nullable String search() {
            return search;
        }

        public OrdersListQuery search(String search) {
            this.search = search;
            return this;
        }

        public @Nullable Long limit() {
            return limit;
        }

        public OrdersListQuery limit(long limit) {
            this.limit = limit;
            return this;
        }

        public @Nullable String cursor() {
            return cursor;
        }

        public OrdersListQuery cursor(String cursor) {
            this.cursor = cursor;
            return this;
        }

        @Override
        public String toString() {
            return "OrdersListQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class CheckoutSessionsQuery {
        @JsonProperty("user_id") private String userId;
        @JsonProperty("order_id") private String orderId;
        @JsonProperty("limit") private Long limit;
        @JsonProperty("cursor") private String cursor;

        public @Nullable String userId() {
            return userId;
        }

        public CheckoutSessionsQuery userId(String userId) {
            this.userId = userId;
            return this;
        }

        public @Nullable String orderId() {
            return orderId;
        }

        public CheckoutSessionsQuery orderId(String orderId) {
            this.orderId = orderId;
            return this;
        }

        public @Nullable Long limit() {
            return limit;
        }

        public CheckoutSessionsQuery limit(long limit) {
            this.limit = limit;
            return this;
        }

        public @Nullable String cursor() {
            return cursor;
        }

        public CheckoutSessionsQuery cursor(String cursor) {
            this.cursor = cursor;
            return this;
        }

        @Override
        public String toString() {
            return "CheckoutSessionsQuery " + Caller.JSON.valueToTree(this);
        }
    }

    public static final class UsersListQuery {
        @JsonProperty("search") private String search;
        @JsonProperty("ids") private String ids;
        @JsonProperty("limit") private Long limit;
        @JsonProperty("offset") private Long offset;

        public @Nullable String search() {
            return search;
        }

        public UsersListQuery search(String search) {
            this.search = search;
            return this;
        }

        public @Nullable String ids() {
            return ids;
        }

        public UsersListQuery ids(String ids) {
            this.ids = ids;
            return this;
        }

        public @Nullable Long limit() {
            return limit;
        }

        public UsersListQuery limit(long limit) {
            this.limit = limit;
            return this;
        }

        public @Nullable Long offset() {
            return offset;
        }

        public UsersListQuery offset(long offset) {
            this.offset = offset;
            return this;
        }

        @Override
        public String toString() {
            return "UsersListQuery " + Caller.JSON.valueToTree(this);
        }
    }
}
