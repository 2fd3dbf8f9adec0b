// Written by "npm run generate"; do not edit.
package petri.sandbox;

final class Version {
    /** The version of this client, and of the oldest Petri that it works with. */
    static final String CLIENT = "0.1.0";

    private Version() {}
}
